// The board editor.

import { expect, test } from 'vitest';
import { PHONE, startTouch, type Page } from './browser';
import { cell, cellCenter } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const figureOn = (page: Page, name: string) => cell(page, name).getAttribute('aria-label');

test('the editor lists the faults of a position and opens a valid one in the analysis', async () => {
  const { page } = await env.open('#/editor?kind=cotulenh');
  const validation = page.getByTestId('validation');
  await validation.getByText('Valid position', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Clear board' }).click();
  await page.getByRole('button', { name: 'red Commander', exact: true }).click();
  await cell(page, 'g1').click();
  await page.getByRole('button', { name: 'Blue', exact: true }).click();
  await page.getByRole('button', { name: 'blue Commander', exact: true }).click();
  await cell(page, 'f12').click();
  await page.getByRole('button', { name: 'Red', exact: true }).click();
  await page.getByRole('button', { name: 'red Commander', exact: true }).click();
  await cell(page, 'e1').click();
  await validation.getByText('Invalid position:').waitFor();
  await expect.poll(() => validation.innerText()).toContain('Red has commanders on');
  await cell(page, 'e1').click();
  await validation.getByText('Valid position', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'heroic', exact: true }).waitFor();

  // Tanks cannot be placed on the sea.
  await page.getByRole('button', { name: 'red Tank', exact: true }).click();
  await cell(page, 'a5').click();
  await page.getByRole('alert').getByText('Cannot place red Tank on a5.').waitFor();
  await expect.poll(() => cell(page, 'a5').getAttribute('aria-label')).toBe('a5, sea, empty');

  await page.getByText('Stacks', { exact: true }).click();
  await page.getByRole('button', { name: 'red Tank carrying Infantry', exact: true }).click();
  await cell(page, 'e4').click();
  await validation.getByText('Valid position', { exact: true }).waitFor();
  await expect
    .poll(() => cell(page, 'e4').getAttribute('aria-label'))
    .toBe('e4, land, red Tank carrying Infantry');
  await validation.getByRole('link', { name: 'Analyze' }).click();
  await page.getByText('Red to move').waitFor();
  await expect
    .poll(() => cell(page, 'e4').getAttribute('aria-label'))
    .toBe('e4, land, red Tank carrying Infantry');
});

test('the editor keeps its position in the URL', async () => {
  const { page } = await env.open('#/editor?kind=chess');
  await page.getByRole('button', { name: 'Erase' }).click();
  await cell(page, 'a2').click();
  await page.getByTestId('validation').getByText('/1PPPPPPP/').waitFor();
  await page.reload();
  await expect.poll(() => cell(page, 'a2').getAttribute('aria-label')).toMatch(/empty$/);
});

test('changing the rules keeps the arrangement, also figures that the new rules do not allow', async () => {
  const { page } = await env.open('#/editor?kind=cotulenh');
  const validation = page.getByTestId('validation');
  await page.getByRole('button', { name: 'Erase' }).click();
  await cell(page, 'c5').click();
  await expect.poll(() => figureOn(page, 'c5')).toMatch(/empty$/);
  await page.getByText('Stacks', { exact: true }).click();
  await page.getByRole('button', { name: 'red Tank carrying Infantry', exact: true }).click();
  await cell(page, 'e4').click();
  await validation.getByText('Valid position', { exact: true }).waitFor();
  for (const rules of ['club', 'standard', 'club']) {
    await page.getByLabel('Rules').selectOption(rules);
    await expect.poll(() => page.url()).toContain(`rules=${rules}`);
    await expect.poll(() => figureOn(page, 'e4')).toBe('e4, land, red Tank carrying Infantry');
    await expect.poll(() => figureOn(page, 'c5')).toMatch(/empty$/);
  }
  await validation.getByText('Valid position', { exact: true }).waitFor();
  await page.goBack();
  await expect.poll(() => page.getByLabel('Rules').inputValue()).toBe('standard');
  await expect.poll(() => figureOn(page, 'e4')).toBe('e4, land, red Tank carrying Infantry');
});

test('no game starts from a board without a commander', async () => {
  const { page } = await env.open('#/editor?kind=cotulenh');
  const validation = page.getByTestId('validation');
  await validation.getByRole('link', { name: 'Play from here' }).waitFor();
  await page.getByRole('button', { name: 'Clear board' }).click();
  await validation.getByText(/commander/).waitFor();
  expect(await validation.getByText('Valid position', { exact: true }).count()).toBe(0);
  expect(await validation.getByRole('link', { name: 'Play from here' }).count()).toBe(0);
});

test('a finished game can be analysed but not played', async () => {
  const position = '7k/5KQ1/8/8/8/8/8/8 b - - 0 1';
  const { page } = await env.open(`#/editor?kind=chess&position=${encodeURIComponent(position)}`);
  const validation = page.getByTestId('validation');
  await validation.getByText('The game is already over in this position. White won: checkmate.').waitFor();
  await validation.getByRole('link', { name: 'Analyze' }).waitFor();
  expect(await validation.getByRole('link', { name: 'Play from here' }).count()).toBe(0);
});

test('an empty chess board has no castling rights', async () => {
  const { page } = await env.open('#/editor?kind=chess');
  const castling = page.getByLabel('Castling rights');
  await expect.poll(() => castling.inputValue()).toBe('KQkq');
  await page.getByRole('button', { name: 'Clear board' }).click();
  await expect.poll(() => castling.inputValue()).toBe('-');
  await page.getByRole('button', { name: 'white King', exact: true }).click();
  await cell(page, 'a1').click();
  await page.getByRole('button', { name: 'Black', exact: true }).click();
  await page.getByRole('button', { name: 'black King', exact: true }).click();
  await cell(page, 'h8').click();
  await page.getByTestId('validation').getByText('7k/8/8/8/8/8/8/K7 w - - 0 1').waitFor();
});

test('castling rights without a rook can be reset', async () => {
  const { page } = await env.open('#/editor?kind=chess');
  const validation = page.getByTestId('validation');
  await page.getByRole('button', { name: 'Erase' }).click();
  await cell(page, 'a1').click();
  await validation.getByRole('button', { name: 'Reset Castling rights' }).click();
  await validation.getByText('Valid position', { exact: true }).waitFor();
});

test('figures are dragged from the palette with the mouse', async () => {
  const { page } = await env.open('#/editor?kind=chess');
  const queen = page.getByRole('button', { name: 'white Queen', exact: true });
  await queen.scrollIntoViewIfNeeded();
  const target = await cellCenter(page, 'e4');
  await queen.hover();
  await page.mouse.down();
  await page.mouse.move(target.x + 40, target.y + 40);
  await page.mouse.move(target.x, target.y);
  await page.mouse.up();
  await expect.poll(() => figureOn(page, 'e4')).toBe('e4, light, white Queen');
  // The drag does not select the tool.
  expect(await queen.getAttribute('aria-pressed')).toBe('false');
  // A figure that is dropped beside the board is not placed.
  await queen.hover();
  await page.mouse.down();
  await page.mouse.move(target.x, target.y);
  await page.mouse.move(5, 5);
  await page.mouse.up();
  await queen.click();
  expect(await queen.getAttribute('aria-pressed')).toBe('true');
  await cell(page, 'd4').click();
  await expect.poll(() => figureOn(page, 'd4')).toBe('d4, dark, white Queen');
});

test('figures are dragged from the palette with a finger', async () => {
  const { page } = await env.open('#/editor?kind=chess', PHONE);
  const queen = page.getByRole('button', { name: 'white Queen', exact: true });
  await queen.scrollIntoViewIfNeeded();
  const box = await queen.boundingBox();
  const target = await cellCenter(page, 'e4');
  const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20];
  const touch = await startTouch(page);
  await touch.down(x, y);
  await touch.moveBy(target.x - x, target.y - y);
  await touch.up();
  await expect.poll(() => figureOn(page, 'e4')).toBe('e4, light, white Queen');
});

test('an invalid arrangement survives a reload', async () => {
  const { page } = await env.open('#/editor?kind=chess');
  const validation = page.getByTestId('validation');
  await page.getByRole('button', { name: 'Erase' }).click();
  await cell(page, 'e1').click();
  await page.getByLabel('To move').selectOption('second');
  await page.getByLabel('Half-move clock').fill('seven & more');
  await validation.getByText('Invalid position:').waitFor();
  await expect.poll(() => page.url()).toContain('seven');
  await page.reload();
  await validation.getByText('Invalid position:').waitFor();
  await expect.poll(() => figureOn(page, 'e1')).toMatch(/empty$/);
  expect(await page.getByLabel('To move').inputValue()).toBe('second');
  expect(await page.getByLabel('Half-move clock').inputValue()).toBe('seven & more');
});

test.each([
  { width: 1280, height: 720 },
  { width: 390, height: 664 },
])('a long text in a field does not widen the page at $width × $height', async (viewport) => {
  const { page } = await env.open('#/editor?kind=chess', { viewport });
  await page.getByLabel('Castling rights').fill('KQkq'.repeat(100));
  await page.getByTestId('validation').getByText('Invalid position:').waitFor();
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflow).toBeLessThanOrEqual(0);
});
