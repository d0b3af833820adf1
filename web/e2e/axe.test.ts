// Accessibility: axe finds no violation on any page, with all sections expanded.

import { beforeAll, expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { expectAccessible, violations } from './axe';
import { cell, openLab, request, typeMove } from './helpers';
import { expectErrorResponses, setUpEnvironment } from './environment';

const env = setUpEnvironment();

let game: Game;
let finished: Game;
beforeAll(async () => {
  finished = await request<Game>(env.url, 'games', {
    ...{ kind: 'chess', moves: ['f2f3', 'e7e5', 'g2g4', 'd8h4'] },
    seats: { first: { type: 'engine', level: 0 }, second: { type: 'human' } },
  });
  game = await request<Game>(env.url, 'games', {
    kind: 'cotulenh',
    seats: { first: { type: 'human' }, second: { type: 'engine', level: 0 } },
    clock: { initial: 600_000, increment: 5000 },
  });
});

test.each([
  ['home', () => '', '.picture svg'],
  ['saved games', () => '#/games', 'li.card'],
  ['game', () => `#/game/${game.id}`, '[data-cell]'],
  ['finished game', () => `#/game/${finished.id}`, '[data-cell]'],
  ['broken link', () => '#/nowhere', 'main p'],
  ['Cờ Tư Lệnh editor', () => '#/editor?kind=cotulenh', '[data-cell]'],
  ['Tribun editor', () => '#/editor?kind=tribun', '[data-cell]'],
  ['chess analysis', () => '#/analysis?kind=chess', '[data-cell]'],
  ['Cờ Tư Lệnh analysis', () => '#/analysis?kind=cotulenh', '[data-cell]'],
  ['Tribun analysis', () => '#/analysis?kind=tribun', '[data-cell]'],
])('%s is accessible, light and dark', async (_, path, content) => {
  const { page } = await env.open(path(), { colorScheme: 'light' });
  await page.locator(content).first().waitFor();
  const hasLab = (await page.getByRole('tab', { name: 'Lab' }).count()) > 0;
  if (hasLab) {
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await openLab(page);
  }
  for (const summary of await page.locator('summary').all()) await summary.click();
  if (hasLab) await page.locator('.gallery canvas').first().waitFor();
  await expectAccessible(page);
});

test('choices of a deployment, settings and an error message are accessible', async () => {
  const position = '5c5/11/11/11/4i6/11/11/4F6/2(NFT)8/11/11/6C4 r - - 0 1';
  const query = new URLSearchParams({ kind: 'cotulenh', position, moves: 'Tc4>d4' });
  const { page, errors } = await env.open(`#/analysis?${query}`, { colorScheme: 'light' });
  await page.getByRole('button', { name: 'End turn' }).waitFor();
  await cell(page, 'c4').click();
  await page.getByTestId('choices').waitFor();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Language').waitFor();
  await expectAccessible(page);
  // The settings lie over the tabs.
  await page.keyboard.press('Escape');
  await typeMove(page, 'nonsense');
  await page.getByRole('alert').waitFor();
  await expectErrorResponses(errors, 422, 1);
  expect(await violations(page)).toEqual([]);
});

test('the page of a game that does not exist is accessible', async () => {
  const { page, errors } = await env.open('#/game/7q2m4x9k1c0z', { colorScheme: 'light' });
  await page.getByRole('heading', { name: 'This game no longer exists.' }).waitFor();
  await expectErrorResponses(errors, 404, 1);
  await expectAccessible(page);
});
