// Moves that are chosen while the engine thinks.

import { expect, test } from 'vitest';
import type { Game, LegalMove } from '../src/lib/types';
import { PHONE, type Page } from './browser';
import { cell, cellCenter, fetchView, moves, play, request } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const announcement = (page: Page) => page.getByTestId('announcement').innerText();

interface Thinking {
  page: Page;
  game: Game;
}

/** A game in which the player has moved and the strongest engine thinks about its reply. */
async function openWhileThinking(kind: string, text: string, options = {}, setup = {}): Promise<Thinking> {
  const seats = { first: { type: 'human' }, second: { type: 'engine', level: 9 } };
  const game = await request<Game>(env.url, 'games', { kind, seats, ...setup });
  const { page } = await env.open(`#/game/${game.id}`, options);
  await page.getByTestId('status').getByText('to move').waitFor();
  const move = game.view.legal_moves.find((candidate) => candidate.text === text);
  if (!move) throw new Error(`${text} is not legal`);
  await play(page, game.view, move);
  await page.getByTestId('status').getByText('is thinking').waitFor();
  return { page, game };
}

/** Ways to choose a cell. */
const WAYS = {
  mouse: (page: Page, name: string) => cell(page, name).click(),
  keyboard: async (page: Page, name: string) => {
    await cell(page, name).focus();
    await page.keyboard.press('Enter');
  },
  touch: async (page: Page, name: string) => {
    const { x, y } = await cellCenter(page, name);
    await page.touchscreen.tap(x, y);
  },
};
type Way = keyof typeof WAYS;
const optionsFor = (way: Way) => (way === 'touch' ? PHONE : {});

/** Two moves of the start position that two cells describe completely and that have no cell in common. */
async function twoMoves(kind: string): Promise<[LegalMove, LegalMove]> {
  const { legal_moves } = await fetchView(env.url, kind);
  const plain = legal_moves.filter(
    ({ kind, from, to, takes, shares }) =>
      kind === 'move' &&
      takes === null &&
      shares.length === 0 &&
      legal_moves.filter((other) => other.from === from && other.to === to).length === 1,
  );
  const first = plain[0];
  const second = plain.findLast(
    ({ from, to }) => ![first?.from, first?.to].some((c) => c === from || c === to),
  );
  if (!first || !second) throw new Error(`no two plain moves in ${kind}`);
  return [first, second];
}

test.each([
  ['chess', 'mouse'],
  ['chess', 'keyboard'],
  ['cotulenh', 'mouse'],
  ['cotulenh', 'keyboard'],
  ['cotulenh', 'touch'],
  ['tribun', 'mouse'],
  ['tribun', 'keyboard'],
  ['tribun', 'touch'],
] as const)('a premove in %s by %s', async (kind, way) => {
  const [first, second] = await twoMoves(kind);
  const { page, game } = await openWhileThinking(kind, first.text, optionsFor(way));
  await WAYS[way](page, second.from ?? '');
  // The marks show where the figure can probably go.
  await expect.poll(() => cell(page, second.to ?? '').getAttribute('aria-label')).toContain('can move here');
  await WAYS[way](page, second.to ?? '');
  await page.locator('.head.premove').waitFor();
  await expect.poll(() => page.locator('.target').count()).toBe(0);
  const played = async () =>
    (await request<Game>(env.url, `games/${game.id}`)).view.moves_played
      .filter(({ player }) => player === 'first')
      .map(({ text }) => text);
  await expect.poll(played, { timeout: 30_000 }).toEqual([first.text, second.text]);
  await expect.poll(() => page.locator('.shaft.premove').count()).toBe(0);
});

// Black takes the queen, and the pawn takes back.
const OFFER = '4k3/8/4p3/8/4P3/8/3Q4/4K3 w - - 0 1';

test.each(['mouse', 'keyboard', 'touch'] as const)('a recapture by %s', async (way) => {
  const { page } = await openWhileThinking('chess', 'd2d5', optionsFor(way), { position: OFFER });
  await WAYS[way](page, 'e1');
  await expect.poll(() => cell(page, 'e1').getAttribute('aria-label')).toContain('selected');
  // The king does not guard the pawn, which is therefore chosen instead.
  await WAYS[way](page, 'e4');
  await expect.poll(() => cell(page, 'e4').getAttribute('aria-label')).toContain('selected');
  expect(await cell(page, 'e1').getAttribute('aria-label')).not.toContain('selected');
  await WAYS[way](page, 'd5');
  // The engine may reply again at once.
  const firstThree = async () => (await moves(page).allInnerTexts()).slice(0, 3);
  await expect.poll(firstThree, { timeout: 30_000 }).toEqual(['Qd5', 'exd5', 'exd5']);
});

test('a premove is dragged, cancelled with Escape and not played', async () => {
  const { page } = await openWhileThinking('chess', 'e2e4');
  const [from, to] = [await cellCenter(page, 'g1'), await cellCenter(page, 'f3')];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await page.locator('.head.premove').waitFor();
  await cell(page, 'f3').focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.shaft.premove').count()).toBe(0);
  await expect.poll(() => announcement(page)).toBe('Premove cancelled');
  await page.getByTestId('status').getByText('White to move').waitFor({ timeout: 30_000 });
  expect(await moves(page).count()).toBe(2);
});
