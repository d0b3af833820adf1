// The first page and the lists of games: the game in progress, the last choice, search and filters.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { storeSettings } from './browser';
import { cell, request } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const start = { name: 'Start game' };

test('the first page offers the game in progress, without moving the form', async () => {
  const { page } = await env.open('');
  await page.getByRole('button', start).waitFor();
  const place = () => page.getByRole('radio', { name: 'Chess' }).locator('..').boundingBox();
  const before = await place();
  await page.getByLabel('Opponent').selectOption('human');
  await page.getByRole('button', start).click();
  await cell(page, 'e2').click();
  await cell(page, 'e4').click();
  await page.getByTestId('status').getByText('Black to move').waitFor();
  await page.goto(`${env.url}#/`);
  const card = page.getByTestId('continue');
  await card.getByText('Black to move · Last move: e4').waitFor();
  await card.locator('svg').waitFor();
  expect(await place()).toEqual(before);
  await card.click();
  await page.getByTestId('status').getByText('Black to move').waitFor();
});

test.each([
  [1440, 900, 'en'],
  [1280, 720, 'en'],
  [1280, 720, 'vi'],
])('at %s × %s (%s), the button that starts a game is on the screen', async (width, height, language) => {
  await request<Game>(env.url, 'games', { kind: 'chess', moves: ['e2e4'] });
  const { page } = await env.open('', { viewport: { width, height } }, (page) =>
    storeSettings(page, { language }),
  );
  await page.getByTestId('continue').waitFor();
  for (const kind of ['chess', 'cotulenh', 'tribun']) {
    await page.locator(`input[value=${kind}]`).check({ force: true });
    const box = await page.locator('button.start').boundingBox();
    expect(box!.y + box!.height, kind).toBeLessThanOrEqual(height);
  }
});

test('levels have names and state their strength', async () => {
  const { page } = await env.open('');
  await page.getByRole('radio', { name: 'Tribun' }).check({ force: true });
  await page.getByLabel(/^Level/).fill('7');
  await page.getByText('Level 7 – Major').waitFor();
  await page.getByText(/^About \d{4} Elo\. Searches about 10,000 positions for each move\.$/).waitFor();
  await page.getByRole('button', start).click();
  await page.getByText('Engine level 7 – Major').first().waitFor();
});

test('a new game starts from the last choice', async () => {
  const { page } = await env.open('');
  await page.getByRole('radio', { name: 'Tribun' }).check({ force: true });
  await page.getByLabel(/^Level/).fill('7');
  await page.getByLabel('Play as').selectOption('White');
  await page.getByLabel('Time control').selectOption('10 min + 5 s');
  await page.getByRole('button', start).click();
  await page.getByTestId('status').waitFor();
  await page.goto(`${env.url}#/`);
  await expect.poll(() => page.getByRole('radio', { name: 'Tribun' }).isChecked()).toBe(true);
  expect(await page.getByLabel(/^Level/).inputValue()).toBe('7');
  const selected = (label: string) =>
    page.getByLabel(label).evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text);
  expect(await selected('Play as')).toBe('White');
  expect(await selected('Time control')).toBe('10 min + 5 s');
  // A link to another game is stronger.
  await page.goto(`${env.url}#/?kind=cotulenh`);
  await expect.poll(() => page.getByRole('radio', { name: 'Cờ Tư Lệnh' }).isChecked()).toBe(true);
});

test('saved games have pictures, search and filters, and games without a move are not listed', async () => {
  const create = (options: object) => request<Game>(env.url, 'games', options);
  const people = { first: { type: 'human' }, second: { type: 'human' } };
  const unplayed = await create({ kind: 'tribun', seats: people });
  const mate = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];
  const lost = await create({
    ...{ kind: 'chess', moves: mate },
    seats: { first: { type: 'human' }, second: { type: 'engine', level: 0 } },
  });
  const running = await create({ kind: 'chess', moves: ['d2d4'], seats: people });
  const { page } = await env.open('#/games');
  const row = ({ id }: Game) => page.locator('li.card', { has: page.locator(`a[href="#/game/${id}"]`) });
  await row(running).locator('svg').waitFor();
  await row(lost).locator('svg').waitFor();
  expect(await row(unplayed).count()).toBe(0);
  await page.getByLabel('Result').selectOption('Lost');
  await expect.poll(() => row(running).count()).toBe(0);
  expect(await row(lost).count()).toBe(1);
  await page.getByLabel('Result').selectOption('All results');
  await page.getByLabel('Search games').fill('checkmate random');
  await expect.poll(() => row(running).count()).toBe(0);
  expect(await row(lost).count()).toBe(1);
  await page.getByLabel('Game', { exact: true }).selectOption('Tribun');
  await page.getByText('No game matches.').waitFor();
});
