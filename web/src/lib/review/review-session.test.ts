import { beforeEach, expect, test, vi } from 'vitest';
import type { AnalysisHandlers } from '../backend/backend';
import { movesTo } from '../moves/tree';
import type { Game, GameReview, PlayedMove, PositionRequest, Review, StartSearch, View } from '../types';
import { ReviewSession } from './review-session.svelte';

const { api, sent } = vi.hoisted(() => {
  vi.stubGlobal('navigator', { language: 'en' });
  vi.stubGlobal('history', { state: null, replaceState: () => undefined });
  const sent: StartSearch[] = [];
  const api = {
    game: vi.fn<(id: string) => Promise<Game>>(),
    review: vi.fn<(id: string) => Promise<GameReview | null>>(),
    position: (request: PositionRequest) => Promise.resolve(viewOf(request)),
    openAnalysis: vi.fn<(on: AnalysisHandlers) => unknown>(),
  };
  return { api, sent };
});
vi.mock('../api', () => ({ api, ApiError: class extends Error {}, errorMessage: String }));
vi.mock('../platform/sound', () => ({ playSound: () => undefined }));

/** A view with only what the session reads. */
function viewOf({ kind, moves = [] }: PositionRequest, over = false): View {
  const played = moves.map((text, i) => ({ text, san: text, player: i % 2 === 0 ? 'first' : 'second' }));
  return {
    ...{ kind, rules: 'standard', position: moves.join(' '), first_position: '' },
    board: { cells: [] as unknown[] },
    players: { first: 'white', second: 'black' },
    turn: moves.length % 2 === 0 ? 'first' : 'second',
    legal_moves: [] as unknown[],
    moves_played: played as PlayedMove[],
    outcome: { over, winner: null, reason: null },
  } as View;
}

const gameOf = (moves: string[], over: boolean) =>
  ({ view: viewOf({ kind: 'chess', moves }, over), you: ['first'], seats: {} }) as unknown as Game;

const assessment = (expected: number) => ({ expected, score: { text: `${expected}` } });

/** A review of `f3 e5`, in which the first turn is a mistake. */
const review = {
  start: assessment(0.5),
  turns: [
    {
      ...{ from: 0, to: 1, player: 'first', number: 1, text: 'f3', loss: 0.2, judgement: 'mistake' },
      after: assessment(0.3),
      better: {
        line: [
          { text: 'e4', moves: ['e4'] },
          { text: 'e5', moves: ['e5'] },
        ],
        after: assessment(0.5),
        arrows: [{ from: 'e2', to: 'e4' }],
      },
    },
    {
      ...{ from: 1, to: 2, player: 'second', number: 1, text: 'e5', loss: 0, judgement: null },
      ...{ after: assessment(0.3), better: null },
    },
  ],
} as unknown as Review;
const found = { review, annotations: { notes: [], variations: [] } } as unknown as GameReview;

let handlers: AnalysisHandlers;
/** Waits until answers have arrived. */
const settle = () => new Promise((done) => setTimeout(done));

async function open(known: GameReview | null, over = true): Promise<ReviewSession> {
  api.game.mockResolvedValue(gameOf(['f3', 'e5'], over));
  api.review.mockResolvedValue(known);
  const session = new ReviewSession({ id: 'a' }, 500, () => undefined);
  await settle();
  return session;
}

beforeEach(() => {
  sent.length = 0;
  api.openAnalysis.mockImplementation((on) => {
    handlers = on;
    return { send: (request: StartSearch) => sent.push(request), close: () => undefined };
  });
});

test('a game that is over is reviewed, with the progress', async () => {
  const session = await open(null);
  expect(session.state).toBe('queued');
  handlers.connected();
  expect(sent).toEqual([{ type: 'review_game', id: 1, game: 'a', nodes: 500 }]);
  handlers.message({ type: 'started', id: 1 });
  handlers.message({ type: 'progress', id: 1, done: 1, total: 4 });
  expect([session.state, session.progress]).toEqual(['running', 0.25]);
  // About an earlier request.
  handlers.message({ type: 'progress', id: 0, done: 4, total: 4 });
  expect(session.progress).toBe(0.25);
  handlers.message({ type: 'reviewed', id: 1, ...found });
  expect([session.state, session.reviewed.points.length]).toEqual(['done', 3]);
});

test('a game in progress is not reviewed, and a stored review is shown', async () => {
  expect((await open(null, false)).state).toBe('unfinished');
  const session = await open(found);
  expect([session.state, sent.length]).toEqual(['done', 0]);
  expect(session.reviewed.heading).toContain('1… e5');
});

test('a search that ends without a result is stopped, with its error', async () => {
  const session = await open(null);
  handlers.connected();
  const error = { code: 'busy', message: 'busy' } as never;
  handlers.message({ type: 'error', id: null, error });
  expect([session.state, session.error]).toEqual(['stopped', 'busy']);
});

test('a better line is shown from the position before the error, with its evaluation', async () => {
  const { reviewed, controller } = await open(found);
  reviewed.showPoint(0);
  expect(reviewed.shapes).toEqual([{ from: 'e2', to: 'e4', tone: 'engine' }]);
  await reviewed.showLine(0);
  expect([movesTo(controller.node), reviewed.isInGame]).toEqual([['e4'], false]);
  expect(reviewed.evaluation).toEqual({ share: 0.5, text: '0.5' });
  reviewed.showTurn(0);
  expect([movesTo(controller.node), reviewed.turn?.text]).toEqual([['f3'], 'f3']);
});

test('an attempt is judged by the engine, and its moves are removed at its end', async () => {
  const session = await open(found);
  const { reviewed, controller } = session;
  const { attempts } = reviewed;
  expect(attempts.canMove).toBe(false);
  session.tryAgain(0);
  expect([attempts.canMove, attempts.isTrying, reviewed.shapes]).toEqual([true, true, []]);
  await controller.play('d4');
  expect(attempts.current?.state).toBe('judging');
  handlers.connected();
  expect(sent).toMatchObject([{ type: 'try', moves: ['d4'], better: ['e4'], nodes: 500 }]);
  handlers.message({ type: 'tried', id: 1, after: assessment(0.5) as never, loss: 0, judgement: null });
  expect([attempts.current?.state, session.state]).toEqual(['good', 'done']);
  expect(reviewed.evaluation).toEqual({ share: 0.5, text: '0.5' });
  attempts.end();
  expect(controller.tree.root.children.map(({ text }) => text)).toEqual(['f3']);
});

test('the turn of the game is judged by the review, and the better turn can be shown instead', async () => {
  const session = await open(found);
  const { attempts } = session.reviewed;
  session.tryAgain(0);
  await session.controller.play('f3');
  expect([attempts.current?.state, sent.length]).toEqual(['worse', 0]);
  await attempts.showBetter();
  expect([attempts.current?.state, attempts.isTrying]).toEqual(['shown', false]);
  expect(movesTo(session.controller.node)).toEqual(['e4']);
});

test('an attempt that cannot be judged begins again', async () => {
  const session = await open(found);
  session.tryAgain(0);
  await session.controller.play('d4');
  handlers.message({ type: 'done', id: 1, reason: 'stopped' });
  expect(session.reviewed.attempts.current?.state).toBe('playing');
  expect(session.controller.node).toBe(session.controller.tree.root);
});
