import { expect, test } from 'vitest';
import { countTurns, endingOf, swapSeats, withLevel } from './end-card';
import type { Game, Player, Seats } from '../types';

const seats: Seats = { first: { type: 'human' }, second: { type: 'engine', level: 3 } };

function ended(winner: Player | null, you: Player[] = ['first'], players: Seats = seats) {
  const moves_played = ['first', 'second', 'first'].map((player) => ({ player }));
  const outcome = { over: true, winner, reason: 'checkmate', description: '' };
  return { view: { outcome, moves_played }, you, seats: players } as unknown as Game;
}

test('the result is that of the player at the screen', () => {
  expect(endingOf(ended('first'))).toEqual({ result: 'won', winner: 'first', moves: 2, nextLevel: 4 });
  expect(endingOf(ended('second'))).toEqual({ result: 'lost', winner: 'second', moves: 2, nextLevel: null });
  expect(endingOf(ended(null)).result).toBe('drawn');
  expect(endingOf(ended('first', ['first', 'second'])).result).toBe('decided');
  expect(endingOf(ended('second', [])).result).toBe('decided');
});

test('there is no level above the strongest', () => {
  const strongest: Seats = { ...seats, second: { type: 'engine', level: 9 } };
  expect(endingOf(ended('first', ['first'], strongest)).nextLevel).toBeNull();
});

test('the steps of a deployment are one turn', () => {
  const players = (text: string) => Array.from(text, (letter) => ({ player: letter as Player }));
  expect(countTurns(players('abbab'))).toBe(4);
  expect(countTurns([])).toBe(0);
});

test('a rematch swaps the seats, and the next level changes the engine', () => {
  expect(swapSeats(seats)).toEqual({ first: { type: 'engine', level: 3 }, second: { type: 'human' } });
  expect(withLevel(seats, 4)).toEqual({ ...seats, second: { type: 'engine', level: 4 } });
});
