// The choice of a network in the Lab, with a server that offers one.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { serverTest, setUpEnvironment } from './environment';

const NETWORK = resolve(import.meta.dirname, '../../crates/policynet/tests/networks/tribun.onnx');
const env = setUpEnvironment(['--net', NETWORK]);

serverTest('the Lab analyses with the network of the server where there is one', async () => {
  const { page } = await env.open('#/analysis?kind=tribun');
  const engine = page.getByTestId('engine');
  await expect.poll(() => engine.innerText()).toMatch(/ nodes/);
  await page.getByRole('tab', { name: 'Lab' }).click();
  const choice = page.getByLabel('Analysing engine').getByRole('combobox');
  await choice.selectOption('Network');
  await expect.poll(() => engine.innerText()).toMatch(/ visits/);
  await choice.selectOption('Built-in engine');
  await expect.poll(() => engine.innerText()).toMatch(/ nodes/);
});

test('without a network for the game there is no choice', async () => {
  const { page } = await env.open('#/analysis?kind=chess');
  await page.getByRole('tab', { name: 'Lab' }).click();
  await expect.poll(() => page.getByText('Inspect position').count()).toBe(1);
  expect(await page.getByTestId('engine-choice').count()).toBe(0);
});
