import { expect, test, vi } from 'vitest';
import { gameChange } from './game-change';
import type { Game } from '../types';

// The texts are in the language of the browser.
vi.hoisted(() => vi.stubGlobal('navigator', { language: 'en' }));

const game = (changes: Partial<Game> = {}, view: Partial<Game['view']> = {}) =>
  ({
    seats: { first: { type: 'human' }, second: { type: 'human' } },
    ...{ draw_offer: null, draw_declined: null, take_back_offer: null, rematch: null },
    ...changes,
    view: {
      ...{ players: { first: 'White', second: 'Black' }, turn: 'second', moves_played: [{}] },
      outcome: { over: false, winner: null, reason: null },
      ...view,
    },
  }) as unknown as Game;
const ended = { outcome: { over: true, winner: 'first', reason: 'checkmate' } } as Partial<Game['view']>;

test.each([
  ['joined', game({ seats: { first: { type: 'human' }, second: { type: 'open' } } }), game()],
  ['takenBack', game(), game({}, { moves_played: [] })],
  ['takenBack', game({}, ended), game()],
  ['end', game(), game({}, ended)],
  ['offer', game(), game({ draw_offer: 'first' })],
  ['offer', game(), game({ take_back_offer: 'first' })],
  ['offer', game({}, ended), game({ rematch: { id: 'next', by: 'second' } }, ended)],
] as const)('tells a change of the kind %s', (kind, before, next) => {
  const change = gameChange(before, next, 'first');
  expect(change?.kind).toBe(kind);
  expect(change?.texts.every((text) => text !== '')).toBe(true);
  expect(change?.notice).toBe('');
});

test('an offer that was declined or withdrawn is told until the next change', () => {
  const declined = gameChange(game({ draw_offer: 'first' }), game({ draw_declined: 'first' }), 'first');
  expect(declined?.notice).toBe('Black declines the draw.');
  const closed = gameChange(game({ take_back_offer: 'first' }), game(), 'first');
  expect(closed?.notice).not.toBe('');
});

test('what the page itself did, and no change at all, is not told', () => {
  expect(gameChange(game(), game(), 'first')).toBeNull();
  const offered = game({ rematch: { id: 'next', by: 'first' } }, ended);
  expect(gameChange(game({}, ended), offered, 'first')).toBeNull();
});
