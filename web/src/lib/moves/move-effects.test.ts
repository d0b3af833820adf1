import { describe, expect, test } from 'vitest';
import { moveEffects } from './move-effects';
import type { Board, Cell, LegalMove, PlayedMove, View } from '../types';

type Figures = Record<string, { owner: 'first' | 'second'; starred?: boolean; height?: number }>;

function board(figures: Figures): Board {
  const cells = ['a1', 'a2', 'a3', 'b1'].map((name) => {
    const found = figures[name];
    const starred = found?.starred ?? false;
    const pieces = found && [{ owner: found.owner, starred, height: found.height ?? null, role: 'alone' }];
    return { name, figure: found ? { owner: found.owner, starred, pieces } : null } as unknown as Cell;
  });
  return { cells } as Board;
}

function view(figures: Figures, fields: Partial<View> = {}): View {
  const outcome = { over: false, winner: null, reason: null, description: '' };
  return { ...{ board: board(figures), legal_moves: [], outcome }, ...fields } as unknown as View;
}
const legal = (kind: string, takes: string | null = null) =>
  ({ text: 'move', kind, from: 'a1', to: 'a2', takes }) as LegalMove;
const move = { text: 'move', player: 'first' } as PlayedMove;

describe('a move', () => {
  test.each([
    ['capture', 'capture'],
    ['stay-capture', 'capture'],
    ['kill', 'capture'],
    ['enslave', 'enslave'],
    ['liberate', 'liberate'],
  ])('of kind %s has the effect %s on its target', (kind, effect) => {
    const before = view({}, { legal_moves: [legal(kind)] });
    expect(moveEffects(before, view({}), move)).toEqual([{ kind: effect, cell: 'a2' }]);
  });
  test('that promotes may capture', () => {
    const before = view({}, { legal_moves: [legal('promote', 'rook')] });
    expect(moveEffects(before, view({}), move)).toEqual([{ kind: 'capture', cell: 'a2' }]);
  });
  test('without an effect has none, and neither has one that is not listed', () => {
    expect(moveEffects(view({}, { legal_moves: [legal('move')] }), view({}), move)).toEqual([]);
    expect(moveEffects(view({}), view({}), move)).toEqual([]);
  });
  test('that gives check is shown at the figure in check, unless the game is over', () => {
    const check = { in_check: true, cell_in_check: 'b1' };
    expect(moveEffects(view({}), view({}, check), move)).toEqual([{ kind: 'check', cell: 'b1' }]);
    const outcome = { over: true, winner: 'first' as const, reason: 'checkmate', description: '' };
    expect(moveEffects(view({}), view({}, { ...check, outcome }), move)).toEqual([]);
  });
});

describe('heroes', () => {
  const hero = { owner: 'first', starred: true } as const;
  test('are those who became heroic, not the one that moved', () => {
    const before = view({ a1: hero, a3: { owner: 'first' } });
    expect(moveEffects(before, view({ a2: hero, a3: hero }), move)).toEqual([{ kind: 'heroic', cell: 'a3' }]);
    expect(moveEffects(before, view({ a2: hero, a3: { owner: 'first' } }), move)).toEqual([]);
  });
  test('may be the piece that moved', () => {
    const before = view({ a1: { owner: 'first' } });
    expect(moveEffects(before, view({ a2: hero }), move)).toEqual([{ kind: 'heroic', cell: 'a2' }]);
  });
  test('are not tribuns', () => {
    const tribun = { ...hero, height: 1 };
    expect(moveEffects(view({}), view({ a2: tribun }), move)).toEqual([]);
  });
});
