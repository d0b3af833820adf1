// No page has a serious fault by axe, whatever is open on it.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import type { Page } from './browser';
import { ask } from './player';
import { world } from './setup';

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

test.each([
  ['home', () => ''],
  ['saved games', () => '#/games'],
  ['a game', () => `#/game/${game.id}`],
  ['the editor of Cờ Tư Lệnh', () => '#/editor?kind=cotulenh'],
  ['the editor of Tribun', () => '#/editor?kind=tribun'],
  ['analysis of chess', () => '#/analysis?kind=chess'],
  ['analysis of Cờ Tư Lệnh', () => '#/analysis?kind=cotulenh'],
  ['analysis of Tribun', () => '#/analysis?kind=tribun'],
])('%s, light and dark', async (_, path) => {
  const { page } = await there.open(path(), { colorScheme: 'light' });
  await page.locator('main > *').first().waitFor();
  for (const summary of await page.locator('summary').all()) await summary.click();
  if ((await page.getByTestId('inside').count()) > 0) await page.locator('.gallery canvas').first().waitFor();
  await page.evaluate(axe);
  expect(await serious(page)).toEqual([]);
  // The dark page differs in its colours alone.
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  expect(await serious(page, ['color-contrast'])).toEqual([]);
});
