import { expect, test } from 'vitest';
import {
  judge,
  loadLessons,
  moveArrows,
  nextMove,
  stepRequest,
  turnMoves,
  type Lesson,
  type Step,
} from './lessons';
import type { LegalMove, Player, View } from '../types';

const words = (text: string) => ({ en: text, vi: `${text} (vi)` });

const step: Step = {
  position: 'here',
  text: words('text'),
  goal: { text: words('goal') },
  solution: 'Fc4>xf7 Tc4>e4 end',
  hints: [{ text: words('hint') }],
  mistakes: [{ turn: 'Fc4>xf7 end', answer: words('Too early.') }],
  done: words('done'),
};

const played = (text: string, player: Player = 'first') => ({ text, player });

/** A view at the end of the first player's turn. */
function view(changes: Partial<View> = {}): Pick<View, 'turn' | 'outcome' | 'in_check' | 'arrangement'> {
  return {
    turn: 'second',
    outcome: { over: false, winner: null, reason: null, description: '' },
    in_check: false,
    arrangement: { cells: { f7: 'F', e4: 'T' }, turn: 'second', fields: {} },
    ...changes,
  };
}

const outcome = (winner: Player | null) => ({ over: true, winner, reason: 'checkmate', description: '' });

test('a step is open until the turn ends', () => {
  expect(judge(step, [], view({ turn: 'first' }))).toEqual({ state: 'open' });
  expect(judge(step, [played('Fc4>xf7')], view({ turn: 'first' }))).toEqual({ state: 'open' });
  expect(judge(step, [played('Fc4>xf7'), played('end')], view()).state).not.toBe('open');
  // A capture of the commander ends the game within a turn.
  const won = view({ turn: 'first', outcome: outcome('first') });
  expect(judge({ ...step, goal: { ...step.goal, won: true } }, [played('x')], won)).toEqual({
    state: 'solved',
  });
});

test.each([
  [{ turns: ['a', 'b c'] }, 'b c', {}, true],
  [{ turns: ['a', 'b c'] }, 'b', {}, false],
  [{ cells: { f7: 'F', c4: '' } }, 'a', {}, true],
  [{ cells: { f7: 'F', e4: '' } }, 'a', {}, false],
  [{ check: true }, 'a', { in_check: true }, true],
  [{ check: true }, 'a', { in_check: null }, false],
  [{ won: true }, 'a', { outcome: outcome('first') }, true],
  [{ won: true }, 'a', { outcome: outcome('second') }, false],
  [{ won: true }, 'a', { outcome: outcome(null) }, false],
  [{ turns: ['a'], check: true }, 'a', {}, false],
])('conditions %o after %s', (conditions, turn, changes, expected) => {
  const goal = { ...step.goal, ...conditions };
  const moves = turnMoves(turn).map((text) => played(text));
  expect(judge({ ...step, goal }, moves, view(changes)).state).toBe(expected ? 'solved' : 'wrong');
});

test('a named mistake has its answer', () => {
  const goal = { ...step.goal, turns: ['other'] };
  const answer = (...moves: string[]) =>
    judge(
      { ...step, goal },
      moves.map((text) => played(text)),
      view(),
    );
  expect(answer('Fc4>xf7', 'end')).toEqual({ state: 'wrong', answer: words('Too early.') });
  expect(answer('(NFT)c4c5')).toEqual({ state: 'wrong', answer: null });
});

test('a step without a position continues the one before', () => {
  const next: Step = { ...step, solution: 'c' };
  delete next.position;
  const lesson: Lesson = {
    id: 'x',
    rules: 'club',
    title: words('title'),
    steps: [step, { ...step, position: 'there', solution: 'a b', reply: 'r' }, { ...next, reply: 's' }, next],
  };
  const base = { kind: 'cotulenh', rules: 'club' };
  expect([0, 1, 2, 3].map((index) => stepRequest('cotulenh', lesson, index))).toEqual([
    { ...base, position: 'here', moves: [] },
    { ...base, position: 'there', moves: [] },
    { ...base, position: 'there', moves: ['a', 'b', 'r'] },
    { ...base, position: 'there', moves: ['a', 'b', 'r', 'c', 's'] },
  ]);
});

const legal = (changes: Partial<LegalMove>): LegalMove => ({
  ...{ text: '', san: '', action_word: null, index: 0, kind: 'move', from: null, to: null, group: [] },
  ...{ deploys: false, takes: null, becomes: null, amount: null, shares: [] },
  ...changes,
});

test('the next move of the solution follows the moves played', () => {
  const moves = [legal({ text: 'Fc4>xf7' }), legal({ text: 'Tc4>e4' })];
  expect(nextMove(step, [], moves)?.text).toBe('Fc4>xf7');
  expect(nextMove(step, [played('Fc4>xf7')], moves)?.text).toBe('Tc4>e4');
  expect(nextMove(step, [played('Tc4>e4')], moves)).toBeNull();
  expect(nextMove(step, [], [])).toBeNull();
});

test('arrows lead from every cell that takes part', () => {
  expect(moveArrows(legal({ from: 'a1', to: 'a2' }))).toEqual([{ from: 'a1', to: 'a2' }]);
  const shares = [
    { cell: 'e6', amount: 2 },
    { cell: 'f5', amount: 1 },
  ];
  // A split, a combination, an attack without an attacker, the end of a turn.
  expect(moveArrows(legal({ from: 'f6', shares })).map(({ to }) => to)).toEqual(['e6', 'f5']);
  expect(moveArrows(legal({ to: 'f6', shares })).map(({ from }) => from)).toEqual(['e6', 'f5']);
  expect(moveArrows(legal({ to: 'g8', takes: 'g8' }))).toEqual([{ from: 'g8', to: 'g8' }]);
  expect(moveArrows(legal({}))).toEqual([]);
});

test('every game has lessons', async () => {
  for (const [kind, least] of [
    ['chess', 4],
    ['cotulenh', 12],
    ['tribun', 10],
  ] as const)
    expect((await loadLessons(kind)).length, kind).toBeGreaterThanOrEqual(least);
  expect(await loadLessons('go')).toEqual([]);
});
