import { beforeEach, expect, test, vi } from 'vitest';
import { BoardController } from './board-controller.svelte';
import { movesTo } from '../moves/tree';
import type { PlayedMove, PositionRequest, View } from '../types';

const { requests, respond } = vi.hoisted(() => {
  vi.stubGlobal('navigator', { language: 'en' });
  const requests: { request: PositionRequest; resolve: (view: View) => void }[] = [];
  /** Answers the oldest request. */
  const respond = async () => {
    const next = requests.shift();
    next?.resolve(viewOf(next.request));
    await new Promise((done) => setTimeout(done));
  };
  return { requests, respond };
});
vi.mock('../api', () => ({
  api: {
    position: (request: PositionRequest) => new Promise((resolve) => requests.push({ request, resolve })),
  },
  errorMessage: String,
}));
vi.mock('../platform/sound', () => ({ playSound: () => undefined }));

/** A view with only what the controller reads. */
function viewOf({ kind, moves = [] }: PositionRequest): View {
  const played = moves.map((text, i) => ({ text, san: text, player: i % 2 === 0 ? 'first' : 'second' }));
  return {
    kind,
    position: moves.join(' '),
    board: { cells: [] as unknown[] },
    players: { first: 'white', second: 'black' },
    legal_moves: [] as unknown[],
    moves_played: played as PlayedMove[],
    outcome: { over: false },
  } as View;
}

let controller: BoardController;
beforeEach(() => {
  requests.length = 0;
  controller = new BoardController(
    { kind: 'chess' },
    () => true,
    (text) => controller.extend(text),
  );
  controller.load({ kind: 'chess' }, viewOf({ kind: 'chess' }));
});

test('a line is added with one request, where it was when it was chosen', async () => {
  const played = controller.extend('e4', 'e5', 'Nf3');
  expect(requests.map(({ request }) => request.moves)).toEqual([['e4', 'e5', 'Nf3']]);
  await respond();
  await played;
  expect(movesTo(controller.node)).toEqual(['e4', 'e5', 'Nf3']);

  controller.goToStart();
  const variation = controller.extend('d4', 'd5');
  controller.goToEnd();
  await respond();
  await variation;
  expect(movesTo(controller.node)).toEqual(['d4', 'd5']);
});

test('a late move does not change a game that was loaded meanwhile', async () => {
  const played = controller.extend('e4');
  controller.load({ kind: 'chess' }, viewOf({ kind: 'chess', moves: ['d4', 'd5'] }));
  await respond();
  await played;
  expect(movesTo(controller.node)).toEqual(['d4', 'd5']);
  expect(controller.tree.root.children.map(({ text }) => text)).toEqual(['d4']);
});
