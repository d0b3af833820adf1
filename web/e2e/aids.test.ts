// What helps a player during a game: hints, threats, and a board that turns to the side to move.

import { expect, test } from 'vitest';
import type { Game, GameRecord } from '../src/lib/types';
import { storeSettings, type Page } from './browser';
import { cell, request } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const AGAINST_ENGINE = { first: { type: 'human' }, second: { type: 'engine', level: 1 } };
const newGame = (options: object) => request<Game>(env.url, 'games', { kind: 'chess', ...options });

/** The record that the backend keeps. */
const storedRecord = async ({ id }: Game) =>
  (await request<GameRecord>(env.url, `games/${id}/record`)).record;

/** Opens the record of the game in the Lab tab. */
async function shownRecord(page: Page): Promise<string> {
  await page.getByRole('tab', { name: 'Lab' }).click();
  const record = page.getByLabel('Game record', { exact: true });
  if (!(await record.isVisible())) await page.getByText('Import and export').click();
  await expect.poll(() => record.inputValue()).not.toBe('');
  return record.inputValue();
}

test('a hint shows the best move, and the record says so', async () => {
  // White mates with one move.
  const position = '7k/5K2/6Q1/8/8/8/8/8 w - - 0 1';
  const game = await newGame({ position, seats: AGAINST_ENGINE });
  const { page } = await env.open(`#/game/${game.id}`);
  const hint = page.getByRole('button', { name: 'Hint' });
  await hint.click();
  await page
    .getByText(/^Hint: Q[gh]\d#$/)
    .first()
    .waitFor();
  await expect.poll(() => page.locator('.shaft.engine').count()).toBe(1);
  expect(await hint.getAttribute('aria-pressed')).toBe('true');
  await hint.click();
  await expect.poll(() => page.locator('.shaft.engine').count()).toBe(0);
  expect(await shownRecord(page)).toContain('[WhiteHints "1"]');
  expect(await storedRecord(game)).toContain('[WhiteHints "1"]');
  await page.getByRole('img', { name: 'Hints: 1, threats shown: 0' }).waitFor();
  // The move after it is played at the version that counts the hint.
  await hint.click();
  await cell(page, 'g6').click();
  await cell(page, 'g7').click();
  await page.getByTestId('end-card').waitFor();
  expect(await storedRecord(game)).toMatch(/\[WhiteHints "2"\][^]*1\. Qg7#/);
});

test.each([
  ['chess', '4k3/8/8/3q4/8/8/8/3QK2R b K - 0 1', ['e8e7'], /^Threat: Qx?\w+/],
  ['tribun', 'black:a1=1*,f6=2,e5=1 white:k11=1*,g8=1 b -', [], /^Threat: /],
])('the threats of the opponent in %s', async (kind, position, played, text) => {
  const seats = { first: { type: 'human' }, second: { type: 'human' } };
  const game = await newGame({ kind, position, moves: played, seats });
  const { page } = await env.open(`#/game/${game.id}`);
  await page.getByRole('button', { name: 'Show threats' }).click();
  await page.getByText(text).first().waitFor();
  await expect.poll(() => page.locator('.shaft.threat, .ring.threat').count()).toBeGreaterThan(0);
  expect(await shownRecord(page)).toMatch(/\[\w+Threats "1"\]/);
  expect(await storedRecord(game)).toMatch(/\[\w+Threats "1"\]/);
  // The next move hides them.
  await page.getByRole('tab', { name: 'Moves' }).click();
  await page.getByRole('button', { name: 'Show threats' }).click();
  await expect.poll(() => page.locator('.shaft.threat, .ring.threat').count()).toBe(0);
});

test('the threats during a deployment are those after the turn has ended', async () => {
  // The Tank has left the Air Force, which the Infantry on c5 attacks.
  const position = '5c5/11/11/11/11/11/11/2i8/2(FT)8/11/11/6C4 r - - 0 1';
  const game = await newGame({ kind: 'cotulenh', position, moves: ['Tc4>e4'] });
  expect(game.view.turn_in_progress).not.toBeNull();
  const { page } = await env.open(`#/game/${game.id}`);
  await page.getByRole('button', { name: 'Show threats' }).click();
  await page
    .getByText(/^Threat: \+?Ixc4/)
    .first()
    .waitFor();
  await expect.poll(() => page.locator('.shaft.threat').count()).toBe(1);
});

test('one line says why there are no threats while the turn cannot end', async () => {
  // The Navy has left the others at sea, where they cannot stay.
  const position = '5c5/11/11/11/11/11/11/11/(NFT)10/11/11/6C4 r - - 0 1';
  const game = await newGame({ kind: 'cotulenh', position, moves: ['Na4>a6'] });
  expect(game.view.turn_in_progress).not.toBeNull();
  expect(game.view.legal_moves.filter(({ kind }) => kind === 'end')).toEqual([]);
  const { page } = await env.open(`#/game/${game.id}`);
  await page.getByRole('button', { name: 'Show threats' }).click();
  const text = 'No threats yet: the turn cannot end here.';
  const line = page.getByTestId('side').getByText(text);
  await line.waitFor();
  const lines = await line.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
  expect(lines).toBe(1);
  await expect.poll(() => page.getByTestId('announcement').innerText()).toBe(text);
  expect(await page.locator('.shaft.threat, .ring.threat').count()).toBe(0);
});

test('the board turns to the side to move when two people share the screen', async () => {
  const seats = { first: { type: 'human' }, second: { type: 'human' } };
  const game = await newGame({ seats });
  const { page } = await env.open(`#/game/${game.id}`, {}, (page) => storeSettings(page, { autoFlip: true }));
  const isFlipped = async () =>
    ((await cell(page, 'a1').boundingBox())?.y ?? 0) < ((await cell(page, 'a8').boundingBox())?.y ?? 0);
  await page.getByText('White to move').waitFor();
  expect(await isFlipped()).toBe(false);
  await cell(page, 'e2').click();
  await cell(page, 'e4').click();
  await expect.poll(isFlipped).toBe(true);
  await cell(page, 'e7').click();
  await cell(page, 'e5').click();
  await expect.poll(isFlipped).toBe(false);
});

test('a custom clock', async () => {
  const { page } = await env.open('#/');
  await page.getByLabel('Time control').selectOption('Custom');
  await page.getByLabel('Minutes per side').fill('1.5');
  await page.getByLabel('Increment in seconds').fill('7');
  await page.getByRole('button', { name: 'Start game' }).click();
  await page.getByText('1.5 min + 7 s').waitFor();
  await expect.poll(() => page.getByRole('timer', { name: 'Black clock' }).innerText()).toBe('1:30');
});
