import { describe, expect, test } from 'vitest';
import { expired, filterGames, inProgress, isUnplayed, noFilter, ownSide } from './saved-games';
import type { DamagedGame, GameSummary, Seat } from '../types';

const human: Seat = { type: 'human' };
const engine: Seat = { type: 'engine', level: 3 };
const open: Seat = { type: 'open' };
const damaged: DamagedGame = { id: 'd', created: 0, updated: 0, damaged: true };

function summary(id: string, fields: Partial<GameSummary> = {}): GameSummary {
  return {
    ...{ id, version: 1, kind: 'chess', rules: 'standard', created: 0, updated: 0, turn: 'first', plies: 4 },
    ...{ position: '', last_move: null, seats: { first: human, second: engine } },
    outcome: { over: false, winner: null, reason: null, description: '' },
    ...fields,
  };
}
const ended = (winner: GameSummary['outcome']['winner']) => ({
  outcome: { over: true, winner, reason: 'checkmate', description: '' },
});

describe('a game without a move', () => {
  test('is not kept against an engine or at one screen', () => {
    expect(isUnplayed(summary('a', { plies: 0 }))).toBe(true);
    expect(isUnplayed(summary('a', { plies: 0, seats: { first: human, second: human } }))).toBe(true);
    expect(isUnplayed(summary('a', { plies: 1 }))).toBe(false);
    expect(isUnplayed(damaged)).toBe(false);
  });
  test('is kept while someone else has the other seat, or may take it', () => {
    const seats = { first: human, second: human };
    expect(isUnplayed(summary('a', { plies: 0, seats, you: ['first'] }))).toBe(false);
    expect(isUnplayed(summary('a', { plies: 0, seats: { first: human, second: open } }))).toBe(false);
  });
  test('is deleted after an hour', () => {
    const game = summary('a', { plies: 0, updated: 1_000 });
    expect(expired([game, summary('b')], 3_601_000)).toEqual([]);
    expect(expired([game, summary('b')], 3_601_001)).toEqual([game]);
  });
});

test('the game in progress is the latest one that a person here plays', () => {
  const engines = summary('engines', { seats: { first: engine, second: engine } });
  const watched = summary('watched', { you: [] });
  const over = summary('over', ended('first'));
  const running = summary('running');
  expect(inProgress([damaged, engines, watched, over, summary('empty', { plies: 0 }), running])).toBe(
    running,
  );
  expect(inProgress([over])).toBeUndefined();
});

test('the own side is the only person at the screen', () => {
  expect(ownSide(summary('a'))).toBe('first');
  expect(ownSide(summary('a', { seats: { first: human, second: human } }))).toBeUndefined();
  expect(ownSide(summary('a', { seats: { first: human, second: human }, you: ['second'] }))).toBe('second');
});

describe('filters', () => {
  const won = summary('won', ended('first'));
  const lost = summary('lost', ended('second'));
  const drawn = summary('drawn', { ...ended(null), kind: 'tribun' });
  const running = summary('running', { kind: 'cotulenh' });
  const games = [damaged, won, lost, drawn, running, summary('empty', { plies: 0 })];
  const found = (filter: Partial<typeof noFilter>) =>
    filterGames(games, { ...noFilter, ...filter }, ({ kind }) => `Ván ${kind} Cờ Tư Lệnh`).map(
      ({ id }) => id,
    );

  test('without a filter everything but unplayed games is listed', () => {
    expect(found({})).toEqual(['d', 'won', 'lost', 'drawn', 'running']);
  });
  test('by result, from the perspective of the player', () => {
    expect(found({ state: 'won' })).toEqual(['won']);
    expect(found({ state: 'lost' })).toEqual(['lost']);
    expect(found({ state: 'drawn' })).toEqual(['drawn']);
    expect(found({ state: 'running' })).toEqual(['running']);
    expect(found({ state: 'finished' })).toEqual(['won', 'lost', 'drawn']);
  });
  test('by game', () => {
    expect(found({ kind: 'tribun' })).toEqual(['drawn']);
  });
  test('by text, without accents and in any order', () => {
    expect(found({ text: ' LENH  chess' })).toEqual(['won', 'lost']);
    expect(found({ text: 'nobody' })).toEqual([]);
  });
});
