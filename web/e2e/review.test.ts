// Reviews: the graph, the errors with better lines, second attempts, and where a review is kept.

import { expect, test } from 'vitest';
import type { Game, GameRecord } from '../src/lib/types';
import { expectAccessible } from './axe';
import { storeSettings, type Page } from './browser';
import { serverTest, setUpEnvironment } from './environment';
import { cell, moves, openLab, openMoves, request } from './helpers';

// A review is one analysis.
const env = setUpEnvironment(['--analysis-time', '120s']);

const FOOLS_MATE = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];
/** White overlooks mate by Qh5 to f7, and loses the queen. */
const MISSED_MATE = 'e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 a2a3 f6h5';

const panel = (page: Page) => page.getByTestId('review');
const finished = (page: Page) => page.locator('[data-testid=review][data-state=done]').waitFor();
const heading = (page: Page) => page.getByTestId('status').innerText();
const attempt = (page: Page, state: string) =>
  page.locator(`[data-testid=attempt][data-state=${state}]`).waitFor();
const line = (query: Record<string, string>) => `#/review?${new URLSearchParams(query)}`;

/** A record without its line breaks. */
const oneLine = (record: string) => record.replace(/\s+/g, ' ');

async function play(page: Page, from: string, to: string): Promise<void> {
  await cell(page, from).click();
  await cell(page, to).click();
}

test('a finished game is reviewed once, and keeps its review', async () => {
  const game = await request<Game>(env.url, 'games', {
    ...{ kind: 'chess', moves: FOOLS_MATE },
    seats: { first: { type: 'human' }, second: { type: 'engine', level: 2 } },
  });
  const { page } = await env.open(`#/game/${game.id}`, { colorScheme: 'light' });
  await page.getByTestId('end-card').getByRole('link', { name: 'Review' }).click();
  await finished(page);
  // Only the player's own errors are listed at first.
  await page.getByTestId('errors').getByText('g4??').waitFor();
  await page.getByTestId('accuracy').getByRole('row', { name: /White/ }).waitFor();
  const graph = page.getByTestId('graph');
  await graph.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => heading(page)).toBe('Review');
  for (let turn = 0; turn < 3; turn++) await page.keyboard.press('ArrowRight');
  await expect.poll(() => heading(page)).toBe('2. g4??');
  expect(await graph.getAttribute('aria-valuetext')).toMatch(/^2\. g4, White \d+ %, Blunder$/);
  await page.keyboard.press('End');
  await expect.poll(() => heading(page)).toMatch(/^2… Qh4# – Black won/);
  expect(await page.getByTestId('evaluation').innerText()).toBe('0–1');
  const box = (await graph.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.76, box.y + 20);
  await expect.poll(() => heading(page)).toBe('2. g4??');
  await expectAccessible(page);
  // The move list has the signs.
  await openMoves(page);
  await moves(page, 'g4??').waitFor();
  const { record } = await request<GameRecord>(env.url, `games/${game.id}/record`);
  expect(oneLine(record)).toMatch(/2\. g4 \$4 \{\[%eval #-1\] \[%loss /);
  // Nothing is searched again.
  let searches = 0;
  page.on('websocket', (socket) => (searches += socket.url().endsWith('/analysis') ? 1 : 0));
  await page.reload();
  await finished(page);
  await page.getByTestId('errors').getByText('g4??').waitFor();
  expect(searches).toBe(0);
});

test('an error can be tried again, and the engine judges the turn', async () => {
  const { page } = await env.open(line({ kind: 'chess', moves: MISSED_MATE, nodes: '1000' }), {
    colorScheme: 'light',
  });
  await finished(page);
  const error = page.getByTestId('errors').locator('li', { hasText: 'a3??' });
  await error.getByRole('button', { name: 'Qxf7#', exact: true }).click();
  await expect.poll(() => heading(page)).toBe('After Qxf7#');
  // Elsewhere nothing can be played.
  await cell(page, 'e8').click();
  await page.getByText('Choose Try again at an error').first().waitFor();
  await error.getByRole('button', { name: 'Try again' }).click();
  await attempt(page, 'playing');
  await play(page, 'h2', 'h3');
  await attempt(page, 'worse');
  await page.getByTestId('attempt').getByText('Blunder: your turn loses').waitFor();
  await expectAccessible(page);
  await page.getByTestId('attempt').getByRole('button', { name: 'Try again' }).click();
  await play(page, 'h5', 'f7');
  await attempt(page, 'good');
  await page.getByTestId('attempt').getByRole('button', { name: 'Next error' }).click();
  await attempt(page, 'playing');
  await page.getByTestId('attempt').getByRole('button', { name: 'Show better turn' }).click();
  await attempt(page, 'shown');
  // Attempts leave no trace in the move list, better lines do.
  await openMoves(page);
  expect(await moves(page, 'h3').count()).toBe(0);
});

test('a deployment is one turn, in Vietnamese on a phone', async () => {
  const position = '6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 7';
  const query = { kind: 'cotulenh', position, moves: 'Nc3>c5 Fc3>e5 end +Tf8', nodes: '200' };
  const { page } = await env.open(line(query), { viewport: { width: 360, height: 740 } }, (page) =>
    storeSettings(page, { language: 'vi' }),
  );
  await finished(page);
  expect(await page.getByTestId('graph').getAttribute('aria-valuemax')).toBe('2');
  await page.getByText('Độ chính xác').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('a loaded record shows its review, and its export keeps it', async () => {
  const { page } = await env.open('#/analysis?kind=chess');
  await openLab(page);
  await page.getByTestId('share').locator('summary').click();
  const record =
    '1. f3 {[%eval -0.8] [%loss 4.00] mine} e5 {[%eval -0.8] [%loss 0.00]} 2. g4 $4 {[%eval #-1] [%loss 31.00]} ' +
    '(2. d4 {[%eval -0.6]} exd4) 2... Qh4# {[%loss 0.00]} 0-1';
  await page.getByLabel('Paste a position or game record').fill(record);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.getByRole('link', { name: 'Review' }).click();
  await finished(page);
  await panel(page).getByText('Blunder, −31 %').waitFor();
  await panel(page).getByRole('button', { name: 'exd4' }).click();
  await expect.poll(() => heading(page)).toBe('After exd4');
  await page.getByRole('tab', { name: 'Import and export' }).click();
  await page.getByTestId('share').locator('summary').click();
  const exported = page.getByLabel('Game record', { exact: true });
  await expect
    .poll(async () => oneLine(await exported.inputValue()))
    .toMatch(/mine.* \[%loss 31\.00\]\} \(2\. d4 \{\[%eval -0\.6\]\} 2\.\.\. exd4\)/);
});

serverTest('a review can be stopped; a running game has none', async () => {
  const endless = line({ kind: 'chess', moves: MISSED_MATE, nodes: '1000000' });
  const { page } = await env.open(endless);
  await page.locator('[data-testid=review][data-state=running]').waitFor();
  await panel(page).getByRole('button', { name: 'Stop' }).click();
  await panel(page).getByText('The review was stopped.').waitFor();
  await panel(page).getByRole('button', { name: 'Start review' }).waitFor();
  // The button that had the focus is gone.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  const running = await request<Game>(env.url, 'games', { kind: 'chess', moves: ['e2e4'] });
  await page.goto(`${env.url}#/review/${running.id}`);
  await panel(page).getByText('The game is not over.').waitFor();
});
