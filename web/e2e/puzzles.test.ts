// Puzzles: solving, mistakes, hints, the solution, streaks and the daily puzzle.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dailyPuzzle, dayOf, readPuzzles, type Puzzle } from '../src/lib/learn/puzzles';
import { expectAccessible } from './axe';
import { PHONE, storeSettings, type Page } from './browser';
import { fetchView, play } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const KINDS = ['cotulenh', 'tribun'];
const read = (kind: string) =>
  readPuzzles(readFileSync(new URL(`../../crates/cli/puzzles/${kind}.jsonl`, import.meta.url), 'utf8'))
    .puzzles;

function find(kind: string, is: (puzzle: Puzzle) => boolean): Puzzle {
  const found = read(kind).find(is);
  if (!found) throw new Error(`no such puzzle of ${kind}`);
  return found;
}

const status = (page: Page, text: string | RegExp) => page.getByTestId('status').getByText(text).waitFor();
const progress = (page: Page, text: string) =>
  page.getByTestId('progress').getByText(text, { exact: true }).waitFor();

/** Plays the solver's turns of a solution. */
async function solve(page: Page, kind: string, { position, turns }: Puzzle): Promise<void> {
  const played: string[] = [];
  for (const [i, turn] of turns.entries()) {
    for (const text of turn.split(' ')) {
      if (i % 2 === 0) {
        const view = await fetchView(env.url, kind, position, played);
        const move = view.legal_moves.find((legal) => legal.text === text);
        if (!move) throw new Error(`${text} is not legal`);
        await play(page, view, move);
      }
      played.push(text);
    }
    if (i % 2 === 1) await status(page, /^Correct/);
  }
}

test.each(KINDS)('%s: a wrong turn is taken back, and the solution counts', async (kind) => {
  const puzzle = find(kind, ({ turns }) => turns.length > 1 && !turns[0]!.includes(' '));
  const { page } = await env.open(`#/puzzles/${kind}/${puzzle.id}`);
  await status(page, /to move: find the only turn/);
  const view = await fetchView(env.url, kind, puzzle.position);
  const wrong = view.legal_moves.find(
    (move) => move.kind === 'move' && !move.deploys && move.text !== puzzle.turns[0],
  );
  await play(page, view, wrong!);
  await status(page, 'That is not the winning turn. Try again.');
  await solve(page, kind, puzzle);
  await status(page, 'Solved!');
  await progress(page, 'Streak: 0');
});

test.each(KINDS)('%s: a puzzle solved at once starts a streak, which survives a reload', async (kind) => {
  const puzzle = find(kind, ({ turns }) => turns.length === 1 && !turns[0]!.includes(' '));
  const { page } = await env.open(`#/puzzles/${kind}/${puzzle.id}`);
  await status(page, /to move/);
  await solve(page, kind, puzzle);
  await status(page, 'Solved!');
  await progress(page, 'Streak: 1');
  await page.reload();
  await progress(page, 'Streak: 1');
  await page.getByRole('button', { name: 'Next puzzle' }).click();
  await status(page, /to move/);
  expect(page.url()).not.toContain(puzzle.id);
});

test('a deployment is one turn', async () => {
  const puzzle = find('cotulenh', ({ turns }) => turns[0]!.includes(' '));
  const { page } = await env.open(`#/puzzles/cotulenh/${puzzle.id}`);
  await status(page, /to move/);
  await solve(page, 'cotulenh', puzzle);
  await status(page, 'Solved!');
});

test('hints and the solution are shown, and end the streak', async () => {
  const puzzle = find('tribun', ({ turns }) => turns.length === 1);
  const { page } = await env.open(`#/puzzles/tribun/${puzzle.id}`);
  await page.getByRole('button', { name: 'Hint', exact: true }).click();
  await page.getByTestId('hint').getByText('The turn begins at').waitFor();
  await page.getByRole('button', { name: 'Hint', exact: true }).click();
  await page.getByTestId('hint').getByText('The first move is').waitFor();
  await page.getByRole('button', { name: 'Solution', exact: true }).click();
  await status(page, 'This is the solution.');
  await page.getByText(/^Themes: /).waitFor();
  await progress(page, 'Streak: 0');
});

test('the daily puzzle is that of the date', async () => {
  const daily = dailyPuzzle(read('tribun'), dayOf(new Date()))!;
  const { page } = await env.open('#/puzzles/tribun');
  await page.getByRole('button', { name: 'Daily puzzle' }).click();
  await status(page, /to move/);
  await expect.poll(() => page.url()).toContain(daily.id);
  await solve(page, 'tribun', daily);
  await page.getByRole('button', { name: 'Daily puzzle solved' }).waitFor();
  await progress(page, 'Daily streak: 1');
});

test('puzzles are chosen by theme, difficulty and game', async () => {
  const { page } = await env.open('#/puzzles/tribun');
  await status(page, /to move/);
  await page.getByLabel('Theme', { exact: true }).selectOption('mate');
  await status(page, /wins by force/);
  await page.getByLabel('Difficulty', { exact: true }).selectOption('Difficulty 1');
  const easy = read('tribun').filter(({ mate }) => mate === 1);
  expect(easy.length).toBeGreaterThan(0);
  await page.getByLabel('Game', { exact: true }).selectOption('cotulenh');
  await page.waitForURL('**/#/puzzles/cotulenh*');
});

test('a link to an unknown puzzle or game says so', async () => {
  const { page } = await env.open('#/puzzles/tribun/none');
  await page.getByText('Unknown puzzle.').waitFor();
  await page.goto(`${env.url}#/puzzles/go`);
  await page.getByText('Unknown game').waitFor();
});

test('in Vietnamese on a phone, the board and the buttons are on the screen', async () => {
  const { page } = await env.open('#/puzzles/cotulenh', PHONE, (page) =>
    storeSettings(page, { language: 'vi' }),
  );
  await page.getByTestId('status').getByText('tìm lượt duy nhất').waitFor();
  const next = await page.getByRole('button', { name: 'Câu tiếp theo' }).boundingBox();
  expect(next!.y + next!.height).toBeLessThanOrEqual(page.viewportSize()!.height);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible(page);
});
