import { beforeEach, expect, test, vi } from 'vitest';
import type { GameHandlers } from '../backend/backend';
import type { Game, PlayedMove } from '../types';
import { GameSession } from './game-session.svelte';

/** The backend, whose answers each test sets. */
const { api, sounds } = vi.hoisted(() => {
  vi.stubGlobal('navigator', { language: 'en' });
  const api = {
    follow: vi.fn<(id: string, on: GameHandlers) => () => void>(),
    position: () => new Promise(() => undefined),
    game: vi.fn<(id: string) => Promise<Game>>(),
    newGame: vi.fn<(options: unknown) => Promise<Game>>(),
    deleteGame: vi.fn<(id: string) => Promise<void>>(),
    online: {
      rematch: vi.fn<(id: string) => Promise<Game>>(),
      abort: vi.fn<(id: string) => Promise<void>>(),
    },
  };
  return { api, sounds: vi.fn() };
});
class Refusal extends Error {
  constructor(readonly status: number) {
    super(`status ${status}`);
  }
}
vi.mock('../api', () => {
  const has = (status: number) => (error: unknown) => error instanceof Refusal && error.status === status;
  return {
    api,
    errorMessage: (error: Error) => error.message,
    isConflict: has(409),
    isForbidden: has(403),
    isNotFound: has(404),
  };
});
vi.mock('../platform/sound', () => ({ playSound: sounds }));

/** A game between two people on different devices, with only what the session reads. */
function gameOf(version: number, moves: string[] = [], changes: Partial<Game> = {}): Game {
  const played = moves.map((text, i) => ({ text, san: text, player: i % 2 === 0 ? 'first' : 'second' }));
  return {
    ...{ id: 'a', version, now: Date.now(), access: 'seats', you: ['first'] },
    seats: { first: { type: 'human' }, second: { type: 'human' } },
    ...{ draw_offer: null, draw_declined: null, take_back_offer: null, rematch: null, clock: null },
    claim_from: { first: null, second: null },
    connected: { first: true, second: true },
    view: {
      ...{ kind: 'chess', rules: 'standard', position: moves.join(' '), first_position: '' },
      board: { cells: [] as unknown[] },
      players: { first: 'white', second: 'black' },
      turn: moves.length % 2 === 0 ? 'first' : 'second',
      legal_moves: [] as unknown[],
      moves_played: played as PlayedMove[],
      outcome: { over: false, winner: null, reason: null },
    },
    ...changes,
  } as unknown as Game;
}

function ended(version: number, moves: string[], changes: Partial<Game> = {}): Game {
  const game = gameOf(version, moves, changes);
  const outcome = { over: true, winner: 'first', reason: 'checkmate' } as Game['view']['outcome'];
  return { ...game, view: { ...game.view, outcome } };
}

const load = vi.fn<(kind: string) => void>();
const open = vi.fn<(id: string) => void>();
let session: GameSession;
let handlers: GameHandlers;
beforeEach(() => {
  vi.clearAllMocks();
  api.follow.mockImplementation((_, on) => {
    handlers = on;
    return () => undefined;
  });
  session = new GameSession('a', { load, open });
  session.connect();
});

test('the first message loads the game, and turns the board to the player', () => {
  handlers.game(gameOf(1, [], { you: ['second'] }));
  expect(load).toHaveBeenCalledExactlyOnceWith('chess');
  expect(session.controller.flipped).toBe(true);
  expect(session.me).toBe('second');
  expect(session.canMove).toBe(false);
});

test('an older version that arrives late changes nothing', () => {
  handlers.game(gameOf(3, ['e4', 'e5']));
  handlers.game(gameOf(2, ['e4']));
  expect(session.game?.version).toBe(3);
  expect(session.canMove).toBe(true);
});

test('players move only in their turn and in the latest position of a game that has begun', () => {
  handlers.game(gameOf(1, [], { seats: { first: { type: 'human' }, second: { type: 'open' } } }));
  expect([session.isWaiting, session.canMove]).toEqual([true, false]);
  handlers.game(gameOf(2));
  expect(session.canMove).toBe(true);
  handlers.game(gameOf(3, ['e4']));
  expect(session.canMove).toBe(false);
  handlers.game(gameOf(4, ['e4', 'e5']));
  session.controller.goToStart();
  expect([session.latest, session.canMove]).toEqual([false, false]);
  session.controller.goToEnd();
  expect(session.canMove).toBe(true);
});

test('the card at the end stays closed, and opens again after another end', () => {
  handlers.game(gameOf(1, ['e4']));
  handlers.game(ended(2, ['e4']));
  expect(session.cardOpen).toBe(true);
  expect(sounds).toHaveBeenCalledWith('end');
  session.closeCard();
  expect(session.cardOpen).toBe(false);
  handlers.game(gameOf(3, []));
  handlers.game(ended(4, ['e4']));
  expect(session.cardOpen).toBe(true);
});

test('a notice about an offer is shown until the next change', () => {
  handlers.game(gameOf(1, ['e4'], { draw_offer: 'first' }));
  handlers.game(gameOf(2, ['e4'], { draw_declined: 'first' }));
  expect(session.notice).not.toBe('');
  handlers.game(gameOf(3, ['e4', 'e5']));
  expect(session.notice).toBe('');
});

test('the win can be claimed from the time that the server names, in the time of the browser', () => {
  handlers.game(gameOf(1, ['e4'], { now: Date.now() - 60_000 }));
  expect(session.claimableAt).toBeNull();
  const from = Date.now() - 30_000;
  handlers.presence({
    connected: { first: true, second: false },
    claim_from: { first: null, second: from },
  });
  expect(session.claimableAt).toBeGreaterThanOrEqual(from + 60_000);
});

test('after a conflict the latest version is shown, with the reason', async () => {
  handlers.game(gameOf(1));
  api.game.mockResolvedValue(gameOf(2, ['e4']));
  await session.send(() => Promise.reject(new Refusal(409)));
  expect(session.game?.version).toBe(2);
  expect(session.controller.error).not.toBe('status 409');

  await session.send(() => Promise.reject(new Refusal(409)));
  expect(session.controller.error).toBe('status 409');
});

test('a request for a deleted game says so', async () => {
  handlers.game(gameOf(1));
  await session.send(() => Promise.reject(new Refusal(404)));
  expect(session.missing).toBe('deleted');
});

test('a second request is ignored while the first one is sent', async () => {
  handlers.game(gameOf(1));
  let answer = (_: Game) => {};
  const sent = session.send(() => new Promise((resolve) => (answer = resolve)));
  const second = vi.fn<() => Promise<Game>>();
  await session.send(second);
  expect(second).not.toHaveBeenCalled();
  answer(gameOf(2, ['e4']));
  await sent;
  expect(session.game?.version).toBe(2);
});

test('a rematch with another device is offered, and at one screen it is a new game with the sides swapped', async () => {
  handlers.game(ended(1, ['e4']));
  api.online.rematch.mockResolvedValue(gameOf(1, [], { id: 'b' }));
  await session.rematch();
  expect(open).toHaveBeenCalledExactlyOnceWith('b');

  handlers.game(ended(2, ['e4'], { access: 'open', you: ['first', 'second'] }));
  api.newGame.mockRejectedValue(new Refusal(503));
  await session.rematch();
  expect(open).toHaveBeenCalledOnce();
  expect(session.controller.error).toBe('status 503');
});

test('an aborted game is gone, and the reason of the server counts', async () => {
  handlers.game(gameOf(1));
  api.online.abort.mockImplementation(() => {
    handlers.deleted();
    return Promise.resolve();
  });
  await session.abort();
  expect(session.missing).toBe('deleted');
});

test('a cancelled challenge is gone', async () => {
  handlers.game(gameOf(1, [], { seats: { first: { type: 'human' }, second: { type: 'open' } } }));
  api.deleteGame.mockResolvedValue();
  await session.cancel();
  expect(session.missing).toBe('aborted');
});
