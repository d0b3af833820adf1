import { describe, expect, test } from 'vitest';
import {
  candidates,
  emptySelection,
  groupPieces,
  moveArrow,
  openChoices,
  selectCell,
  selectedMove,
  targetMarks,
  type Selection,
} from './selection';
import type { LegalMove } from './types';

function move(details: Partial<LegalMove>): LegalMove {
  const none: LegalMove = {
    text: '',
    san: '',
    action_word: null,
    index: 0,
    kind: 'move',
    from: null,
    to: null,
    group: [],
    deploys: false,
    takes: null,
    becomes: null,
    amount: null,
    shares: [],
  };
  const whole = { ...none, ...details };
  return { ...whole, text: whole.text || JSON.stringify(details) };
}

const selection = (details: Partial<Selection>): Selection => ({ ...emptySelection, ...details });

test('represents a move as an arrow, or a ring if nothing changes place', () => {
  const share = { cell: 'g7', amount: 1 };
  expect(moveArrow(move({ from: 'e2', to: 'e4' }))).toEqual({ from: 'e2', to: 'e4' });
  expect(moveArrow(move({ from: 'e5', takes: 'e8' }))).toEqual({ from: 'e5', to: 'e8' });
  expect(moveArrow(move({ from: 'f6', shares: [share] }))).toEqual({ from: 'f6', to: 'g7' });
  expect(moveArrow(move({ to: 'f6', shares: [share] }))).toEqual({ from: 'f6', to: 'f6' });
  expect(moveArrow(move({ kind: 'end' }))).toBeNull();
});

describe('single moves', () => {
  const moves = [
    move({ text: 'e2e4', from: 'e2', to: 'e4' }),
    move({ text: 'e2e3', from: 'e2', to: 'e3' }),
    move({ text: 'd3e2', from: 'd3', to: 'e4' }),
    move({ text: 'e7e8q', kind: 'promote', from: 'e7', to: 'e8', becomes: 'queen' }),
    move({ text: 'e7e8n', kind: 'promote', from: 'e7', to: 'e8', becomes: 'knight' }),
  ];

  test('selects a move by two cells', () => {
    const one = selectCell(moves, emptySelection, 'e2');
    expect([...targetMarks(moves, one).keys()].sort()).toEqual(['e3', 'e4']);
    expect(selectedMove(moves, one)).toBeNull();
    expect(openChoices(moves, one)).toEqual([]);
    expect(selectedMove(moves, selectCell(moves, one, 'e4'))?.text).toBe('e2e4');
  });

  test('accepts the target before the source', () => {
    const one = selectCell(moves, emptySelection, 'e4');
    expect([...targetMarks(moves, one)].sort()).toEqual([
      ['d3', 'source'],
      ['e2', 'source'],
    ]);
    expect(selectedMove(moves, selectCell(moves, one, 'd3'))?.text).toBe('d3e2');
  });

  test('offers the promotion pieces', () => {
    const two = selectCell(moves, selectCell(moves, emptySelection, 'e7'), 'e8');
    expect(openChoices(moves, two)).toEqual([{ detail: 'becomes', values: ['queen', 'knight'] }]);
    expect(selectedMove(moves, { ...two, becomes: 'knight' })?.text).toBe('e7e8n');
  });

  test('restarts or clears the selection at a cell without candidates', () => {
    const one = selectCell(moves, emptySelection, 'e2');
    expect(selectCell(moves, one, 'e7').cells).toEqual(['e7']);
    expect(selectCell(moves, one, 'a8')).toEqual(emptySelection);
    expect(selectCell(moves, one, 'e2')).toEqual(emptySelection);
  });
});

describe('stacks', () => {
  const moves = [
    move({ text: 'whole', from: 'c3', to: 'c5', group: ['navy', 'air force', 'tank'] }),
    move({ text: 'navy', from: 'c3', to: 'c5', group: ['navy'], deploys: true }),
    move({
      text: 'fly',
      kind: 'capture',
      from: 'c3',
      to: 'e5',
      takes: 'e5',
      group: ['air force'],
      deploys: true,
    }),
    move({ text: 'bomb', kind: 'stay-capture', from: 'f1', to: 'f4', takes: 'f4', group: ['air force'] }),
    move({ text: 'take', kind: 'capture', from: 'f1', to: 'f4', takes: 'f4', group: ['air force'] }),
  ];

  test('offers the groups with the first cell', () => {
    expect(openChoices(moves, selection({ cells: ['c3'] }))).toEqual([
      { detail: 'group', values: ['navy+air force+tank', 'navy', 'air force'] },
    ]);
    expect(groupPieces('navy+air force+tank')).toEqual(['navy', 'air force', 'tank']);
  });

  test('marks only the targets of the selected group', () => {
    const airForce = selection({ cells: ['c3'], group: 'air force' });
    expect([...targetMarks(moves, airForce)]).toEqual([['e5', 'capture']]);
  });

  test('offers capture and stay-capture of an air force', () => {
    const aimed = selection({ cells: ['f1', 'f4'] });
    expect(openChoices(moves, aimed)).toEqual([{ detail: 'kind', values: ['stay-capture', 'capture'] }]);
    expect(selectedMove(moves, { ...aimed, kind: 'stay-capture' })?.text).toBe('bomb');
  });
});

describe('combinations and splits', () => {
  const split = (...shares: [string, number][]) =>
    move({
      text: `split ${shares.join(' ')}`,
      kind: 'split',
      from: 'f6',
      shares: shares.map(([cell, amount]) => ({ cell, amount })),
    });
  const moves = [
    split(['g7', 1]),
    split(['g7', 2]),
    split(['g7', 1], ['e5', 1]),
    split(['e5', 1]),
    move({ text: 'go', from: 'f6', to: 'g7', group: ['primary'] }),
    move({
      text: 'join',
      kind: 'combine',
      to: 'f7',
      shares: [
        { cell: 'f6', amount: 1 },
        { cell: 'g8', amount: 2 },
      ],
    }),
    move({ text: 'hurt 1', kind: 'damage', to: 'h8', takes: 'h8', amount: 1 }),
    move({ text: 'hurt 2', kind: 'damage', to: 'h8', takes: 'h8', amount: 2 }),
    move({ text: 'free', kind: 'liberate', to: 'h8', takes: 'h8' }),
  ];

  test('offers the kinds of move with the first cell', () => {
    const [kinds] = openChoices(moves, selection({ cells: ['f6'] }));
    expect(kinds).toEqual({ detail: 'kind', values: ['split', 'move', 'combine'] });
  });

  test('prefers the split with exactly the selected shares', () => {
    const splitting = selection({ cells: ['f6'], kind: 'split' });
    expect(selectedMove(moves, splitting)).toBeNull();
    const one = { ...splitting, shares: { g7: 1 } };
    expect(candidates(moves, one)).toHaveLength(2);
    expect(selectedMove(moves, one)?.text).toBe('split g7,1');
    expect(selectedMove(moves, { ...splitting, shares: { g7: 1, e5: 1 } })?.text).toBe('split g7,1 e5,1');
    expect(selectedMove(moves, { ...splitting, shares: { g7: 3 } })).toBeNull();
  });

  test('offers only shares that lead to a legal split', () => {
    const offered = openChoices(moves, selection({ cells: ['f6'], kind: 'split', shares: { e5: 1 } }));
    expect(offered.filter((choice) => choice.detail === 'share')).toEqual([
      { detail: 'share', cell: 'e5', values: [1] },
      { detail: 'share', cell: 'g7', values: [1] },
    ]);
  });

  test('selects a combination by a donor or its tile', () => {
    expect(selectedMove(moves, selection({ cells: ['g8'] }))?.text).toBe('join');
    expect(selectedMove(moves, selection({ cells: ['f7'] }))?.text).toBe('join');
  });

  test('marks moves, parts of a unit and combinations differently', () => {
    const ring = ['f5', 'e6'].map((cell) => ({ cell, amount: 1 }));
    const symmetric = move({ kind: 'sym-combine', to: 'g6', shares: [{ cell: 'f6', amount: 1 }, ...ring] });
    const step = move({ from: 'f6', to: 'h7' });
    const marks = targetMarks([...moves, symmetric, step], selection({ cells: ['f6'] }));
    expect(Object.fromEntries(marks)).toMatchObject({
      h7: 'move',
      // A step and a part can go there: picking the tile steps.
      g7: 'move',
      e5: 'split',
      f7: 'combine',
      g6: 'combine',
    });
  });

  test('offers the outcomes of an attack on the selected enemy', () => {
    const enemy = selection({ cells: ['h8'] });
    expect(candidates(moves, enemy)).toHaveLength(3);
    expect(selectedMove(moves, { ...enemy, kind: 'liberate' })?.text).toBe('free');
    expect(selectedMove(moves, { ...enemy, kind: 'damage' })).toBeNull();
    expect(selectedMove(moves, { ...enemy, kind: 'damage', amount: 2 })?.text).toBe('hurt 2');
  });
});
