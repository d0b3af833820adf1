// No page has a serious fault by axe, with everything unfolded that it has.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import type { Page } from './browser';
import { ask, cell, type } from './player';
import { forgive, world } from './setup';

const there = world();

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let game: Game;
beforeAll(async () => {
  game = await ask<Game>(there.url, 'games', {
    kind: 'cotulenh',
    players: { first: { who: 'person' }, second: { who: 'engine', level: 0 } },
    clock: { initial: 600_000, increment: 5000 },
  });
});

/** What is seriously wrong by all rules, or by some. */
function serious(page: Page, rules: string[] = []): Promise<string[]> {
  return page.evaluate(async (only) => {
    type Found = { id: string; impact: string | null; nodes: { html: string }[] };
    type Axe = { run(options: object): Promise<{ violations: Found[] }> };
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(only.length > 0 ? { runOnly: only } : {});
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)} (${nodes.length})`);
  }, rules);
}

/** Looks at all rules on the light page; the dark one differs in its colours alone. */
async function look(page: Page): Promise<void> {
  await page.evaluate(axe);
  expect(await serious(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  expect(await serious(page, ['color-contrast'])).toEqual([]);
}

test.each([
  ['home', () => '', '.picture svg'],
  ['saved games', () => '#/games', 'li.card'],
  ['a game', () => `#/game/${game.id}`, '[data-cell]'],
  ['the editor of Cờ Tư Lệnh', () => '#/editor?kind=cotulenh', '[data-cell]'],
  ['the editor of Tribun', () => '#/editor?kind=tribun', '[data-cell]'],
  ['analysis of chess', () => '#/analysis?kind=chess', '[data-cell]'],
  ['analysis of Cờ Tư Lệnh', () => '#/analysis?kind=cotulenh', '[data-cell]'],
  ['analysis of Tribun', () => '#/analysis?kind=tribun', '[data-cell]'],
])('%s, all unfolded, light and dark', async (_, path, content) => {
  const { page } = await there.open(path(), { colorScheme: 'light' });
  await page.locator(content).first().waitFor();
  for (const summary of await page.locator('summary').all()) await summary.click();
  if ((await page.getByTestId('inside').count()) > 0) await page.locator('.gallery canvas').first().waitFor();
  await look(page);
});

test('a deployment with choices, the settings, a refusal', async () => {
  const position = '5c5/11/11/11/4i6/11/11/4F6/2(NFT)8/11/11/6C4 r - - 0 1';
  const said = new URLSearchParams({ kind: 'cotulenh', position, moves: 'Tc4>d4' });
  const { page, faults } = await there.open(`#/analysis?${said}`, { colorScheme: 'light' });
  await page.getByRole('button', { name: 'End the turn' }).waitFor();
  await cell(page, 'c4').click();
  await page.getByTestId('choices').waitFor();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Language').waitFor();
  await look(page);
  await type(page, 'nonsense');
  await page.getByRole('alert').waitFor();
  await forgive(faults, 422, 1);
  expect(await serious(page)).toEqual([]);
});
