import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChatMessage, Game, PlayedMove } from '../types';
import { ApiError } from './errors';
import { backend } from './server';

vi.hoisted(() => vi.stubGlobal('navigator', { language: 'en' }));

/** A `WebSocket` controlled by the test. */
class FakeSocket {
  static last: FakeSocket;
  readyState = 1;
  onopen = (): void => undefined;
  onclose = (): void => undefined;
  onmessage = (_: { data: string }): void => undefined;
  constructor(readonly url: string) {
    FakeSocket.last = this;
  }
  receive(message: unknown): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
  close(): void {}
}

const game = (version: number, moves: string[]) =>
  ({ version, view: { moves_played: moves.map((text) => ({ text }) as PlayedMove) } }) as Game;

const respond = (body: unknown, init: ResponseInit = {}) =>
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body, init)));

beforeEach(() => {
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'table', origin: 'http://table' });
});
afterEach(() => void vi.unstubAllGlobals());

/** Follows a game and records what the page is told. */
async function follow(first: Game) {
  respond(first);
  const events: unknown[] = [];
  const leave = backend.follow('7q2m', {
    game: ({ version, view }) => events.push([version, view.moves_played.map(({ text }) => text).join(' ')]),
    deleted: (reason) => events.push(['deleted', reason]),
    connection: () => undefined,
    failed: () => undefined,
    chat: ({ text }) => events.push(['chat', text]),
    presence: ({ connected }) => events.push(['presence', connected]),
  });
  await vi.waitUntil(() => events.length > 0 && FakeSocket.last);
  return { events, leave, socket: FakeSocket.last };
}

test('a change keeps the first moves of the game before it', async () => {
  const { events, leave, socket } = await follow(game(2, ['e4', 'e5']));
  expect(socket.url).toBe('ws://table/api/games/7q2m/socket?since=2');
  socket.receive({ type: 'current', version: 2 });
  socket.receive({ type: 'change', kept: 2, game: game(3, ['Nf3']) });
  // A take-back, and another move.
  socket.receive({ type: 'change', kept: 1, game: game(5, ['c5']) });
  expect(events).toEqual([
    [2, 'e4 e5'],
    [3, 'e4 e5 Nf3'],
    [5, 'e4 c5'],
  ]);
  leave();
});

test('passes on chat, presence and why a game was deleted', async () => {
  const { events, socket } = await follow(game(0, []));
  const connected = { first: true, second: false };
  socket.receive({ type: 'chat', message: { text: 'hello' } as ChatMessage });
  socket.receive({ type: 'presence', connected, claim_from: { first: null, second: 1 } });
  socket.receive({ type: 'deleted', reason: 'aborted' });
  socket.receive({ type: 'chat', message: { text: 'too late' } as ChatMessage });
  expect(events.slice(1)).toEqual([
    ['chat', 'hello'],
    ['presence', connected],
    ['deleted', 'aborted'],
  ]);
});

test('an error says when to try again', async () => {
  const body = { code: 'too_many_requests', message: 'too many requests', detail: { code: 'x', params: {} } };
  respond(body, { status: 429, headers: { 'retry-after': '7' } });
  const error: unknown = await backend.kinds().catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).message).toBe('too many requests Try again in 7 s.');
  expect((error as ApiError).retryAfter).toBe(7);
});

test('links without an origin are completed', async () => {
  respond({ token: 'f00d', url: '/#/join/7q2m/f00d' });
  expect(await backend.online?.invite('7q2m')).toEqual({
    token: 'f00d',
    url: 'http://table/#/join/7q2m/f00d',
  });
  respond({ token: 'f00d', url: 'https://play.example/#/join/7q2m/f00d' });
  expect((await backend.online?.invite('7q2m'))?.url).toBe('https://play.example/#/join/7q2m/f00d');
});
