import { afterEach, expect, test, vi } from 'vitest';
import type { Access, Kind, PositionRequest } from '../types';
import type { Choice, Opponent } from './last-choice';
import { NewGameForm } from './new-game.svelte';

const kinds = [
  { name: 'chess', rules: ['standard'] },
  { name: 'tribun', rules: ['full', 'short'] },
] as Kind[];
const last: Choice = {
  ...{ kind: 'tribun', rules: 'short', opponent: 'engine', level: 4, side: 'second' },
  clock: null,
};

interface Options {
  access?: Access;
  request?: PositionRequest | null;
  opponent?: Opponent;
}
const formOf = ({ access = 'seats', request = null, opponent }: Options = {}, choice = last) =>
  new NewGameForm({ kinds, access, request, opponent }, choice);

afterEach(() => void vi.restoreAllMocks());

test('the choices of the last game are selected', () => {
  expect(formOf().newGame('')).toEqual({
    ...{ kind: 'tribun', rules: 'short', clock: null, public: false, lobby: false, chat: false },
    seats: { first: { type: 'engine', level: 4 }, second: { type: 'human' } },
  });
});

test('a link selects game, position and opponent, and another game starts from its first position', () => {
  const request = { kind: 'chess', position: '8/8/8/8/8/8/8/8 w - - 0 1', moves: ['e4'] };
  const form = formOf({ request, opponent: 'friend' });
  expect(form.newGame('')).toMatchObject({ ...request, rules: 'standard', chat: true });
  form.kindName = 'tribun';
  expect(form.newGame('')).not.toHaveProperty('position');
  expect(form.rules).toBe('full');
});

test('a link to an unknown game keeps the last one', () => {
  const form = formOf({ request: { kind: 'go' } });
  expect([form.isUnknown, form.kindName, form.startRequest]).toEqual([true, 'tribun', null]);
});

test('an opponent that this server does not offer becomes the engine', () => {
  expect(formOf({ access: 'open' }, { ...last, opponent: 'lobby' }).opponent).toBe('engine');
  expect(formOf({ access: 'open' }).newGame('Ann')).not.toHaveProperty('lobby');
});

test.each([
  ['engine', { first: { type: 'human', name: 'Ann' }, second: { type: 'engine', level: 4 } }],
  ['friend', { first: { type: 'human', name: 'Ann' }, second: { type: 'open' } }],
  ['lobby', { first: { type: 'human', name: 'Ann' }, second: { type: 'open' } }],
  ['human', { first: { type: 'human' }, second: { type: 'human' } }],
] as const)('the seats of a game against the opponent %s', (opponent, seats) => {
  const game = formOf({ opponent }, { ...last, side: 'first' }).newGame('Ann');
  expect(game.seats).toEqual(seats);
  expect(game.lobby).toBe(opponent === 'lobby');
});

test('a random side is drawn for every game', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValueOnce(0.4).mockReturnValueOnce(0.6);
  const form = formOf({ opponent: 'engine' }, { ...last, side: 'random' });
  expect(form.newGame('').seats?.first.type).toBe('human');
  expect(form.newGame('').seats?.first.type).toBe('engine');
  expect(random).toHaveBeenCalledTimes(2);
});
