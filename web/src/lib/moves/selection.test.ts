import { describe, expect, test } from 'vitest';
import { optionsAtFigure, optionsAtTarget, type Options } from './options';
import { pickCell } from './picking';
import { emptySelection, moveArrow, selectedMove, targetMarks, type Selection } from './selection';
import type { LegalMove } from '../types';

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

/** The selection after picking cells one after the other. */
const pick = (moves: LegalMove[], ...cells: string[]) =>
  cells.reduce((selected, cell) => pickCell(moves, selected, cell), emptySelection);

const values = (options: Options | null) => options?.options.map(({ value }) => value);

/** The selection after an option is chosen. */
function choose(options: Options | null, value: string): Selection {
  const option = options?.options.find((candidate) => candidate.value === value);
  if (!option) throw new Error(`${value} is not offered`);
  return option.then;
}

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
    move({ text: 'e7e8n', kind: 'promote', from: 'e7', to: 'e8', becomes: 'knight' }),
    move({ text: 'e7e8q', kind: 'promote', from: 'e7', to: 'e8', becomes: 'queen' }),
  ];

  test('selects a move by two cells', () => {
    const one = pick(moves, 'e2');
    expect([...targetMarks(moves, one).keys()].sort()).toEqual(['e3', 'e4']);
    expect(selectedMove(moves, one)).toBeNull();
    expect([optionsAtFigure(moves, one), optionsAtTarget(moves, one)]).toEqual([null, null]);
    expect(selectedMove(moves, pick(moves, 'e2', 'e4'))?.text).toBe('e2e4');
  });

  test('accepts the target before the source', () => {
    const one = pick(moves, 'e4');
    expect([...targetMarks(moves, one)].sort()).toEqual([
      ['d3', 'source'],
      ['e2', 'source'],
    ]);
    expect(selectedMove(moves, pick(moves, 'e4', 'd3'))?.text).toBe('d3e2');
  });

  test('offers the promotions at the square, queen first', () => {
    const offered = optionsAtTarget(moves, pick(moves, 'e7', 'e8'));
    expect(offered?.cell).toBe('e8');
    expect(values(offered)).toEqual(['queen', 'knight']);
    expect(selectedMove(moves, choose(offered, 'knight'))?.text).toBe('e7e8n');
  });

  test('restarts or clears the selection at a cell without candidates', () => {
    expect(pick(moves, 'e2', 'e7').cells).toEqual(['e7']);
    expect(pick(moves, 'e2', 'a8')).toEqual(emptySelection);
    // Another pawn could go there, but not this one.
    expect(pick(moves, 'e7', 'e4')).toEqual(emptySelection);
    expect(pick(moves, 'e2', 'e2')).toEqual(emptySelection);
  });
});

describe('stacks', () => {
  const whole = ['navy', 'air force', 'tank'];
  const moves = [
    move({ text: 'whole', from: 'c3', to: 'c5', group: whole }),
    move({ text: 'navy', from: 'c3', to: 'c5', group: ['navy'], deploys: true }),
    move({ text: 'navy tank', from: 'c3', to: 'c5', group: ['navy', 'tank'], deploys: true }),
    move({ text: 'tank', from: 'c3', to: 'd3', group: ['tank'], deploys: true }),
    move({ text: 'infantry', from: 'c3', to: 'd3', group: ['infantry'], deploys: true }),
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

  test('offers each piece of a stack', () => {
    const offered = optionsAtFigure(moves, pick(moves, 'c3'));
    expect(offered?.cell).toBe('c3');
    expect(values(offered)).toEqual(['navy', 'air force', 'tank', 'infantry']);
    expect(optionsAtFigure(moves, pick(moves, 'f1'))).toBeNull();
  });

  test('chooses several pieces that can go together', () => {
    const navy = choose(optionsAtFigure(moves, pick(moves, 'c3')), 'navy');
    expect(navy.group).toBe('navy');
    const both = choose(optionsAtFigure(moves, navy), 'tank');
    expect(both.group).toBe('navy+tank');
    expect(optionsAtFigure(moves, both)?.options.map((option) => option.selected)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    // Choosing a piece again leaves it out.
    expect(choose(optionsAtFigure(moves, both), 'navy').group).toBe('tank');
    // A piece that cannot go with the chosen ones replaces them.
    expect(choose(optionsAtFigure(moves, both), 'infantry').group).toBe('infantry');
  });

  test('everyone who can goes, unless chosen otherwise', () => {
    expect(selectedMove(moves, pick(moves, 'c3', 'c5'))?.text).toBe('whole');
    const navy = choose(optionsAtFigure(moves, pick(moves, 'c3')), 'navy');
    expect(selectedMove(moves, pickCell(moves, navy, 'c5'))?.text).toBe('navy');
    // If either of two pieces can go but not both, the target offers them.
    expect(values(optionsAtTarget(moves, pick(moves, 'c3', 'd3')))).toEqual(['tank', 'infantry']);
  });

  test('marks only the targets of the chosen pieces', () => {
    const airForce = selection({ cells: ['c3'], group: 'air force' });
    expect([...targetMarks(moves, airForce)]).toEqual([['e5', 'capture']]);
  });

  test('offers capture and stay-capture of an air force at the target', () => {
    const offered = optionsAtTarget(moves, pick(moves, 'f1', 'f4'));
    expect(offered?.cell).toBe('f4');
    expect(values(offered)).toEqual(['stay-capture', 'capture']);
    expect(selectedMove(moves, choose(offered, 'stay-capture'))?.text).toBe('bomb');
  });
});

describe('combinations and splits', () => {
  const shares = (...list: [string, number][]) => list.map(([cell, amount]) => ({ cell, amount }));
  const split = (...list: [string, number][]) =>
    move({ text: `split ${list.join(' ')}`, kind: 'split', from: 'f6', shares: shares(...list) });
  const join = (...list: [string, number][]) =>
    move({ text: `join ${list.join(' ')}`, kind: 'combine', to: 'f7', shares: shares(...list) });
  const moves = [
    split(['g7', 1]),
    split(['g7', 2]),
    split(['g7', 1], ['e5', 1]),
    split(['e5', 1]),
    move({ text: 'go', from: 'f6', to: 'h7', group: ['primary'] }),
    move({ text: 'step', from: 'f6', to: 'f5', group: ['primary'] }),
    split(['f5', 1]),
    join(['f6', 1], ['g8', 1]),
    join(['f6', 1], ['g8', 2]),
    join(['f6', 2], ['g8', 2]),
    join(['f6', 1], ['e7', 1]),
    move({ text: 'ring', kind: 'sym-combine', to: 'g6', shares: shares(['f6', 1], ['h6', 1], ['g5', 1]) }),
    move({ text: 'stab', kind: 'backstab', from: 'f6', to: 'e5' }),
    move({ text: 'hurt 1', kind: 'damage', to: 'h8', takes: 'h8', amount: 1 }),
    move({ text: 'hurt 2', kind: 'damage', to: 'h8', takes: 'h8', amount: 2 }),
    move({ text: 'free', kind: 'liberate', to: 'h8', takes: 'h8' }),
  ];
  const selected = (...cells: string[]) => selectedMove(moves, pick(moves, ...cells))?.text;

  test('marks moves, parts of a unit and combinations differently', () => {
    const marks = targetMarks(moves, pick(moves, 'f6'));
    expect(Object.fromEntries(marks)).toEqual({
      h7: 'move',
      // A step and a part can go there: picking the tile steps.
      f5: 'move',
      g7: 'split',
      e5: 'split',
      f7: 'combine',
      g6: 'combine',
    });
  });

  test('a plain step takes two cells, also where a part could go', () => {
    expect(selected('f6', 'h7')).toBe('go');
    expect(selected('f6', 'f5')).toBe('step');
  });

  test('picking a neighbour again and again shares out heights', () => {
    expect(selected('f6', 'g7')).toBe('split g7,1');
    expect(selected('f6', 'g7', 'g7')).toBe('split g7,2');
    expect(selected('f6', 'g7', 'e5')).toBe('split g7,1 e5,1');
    // After the greatest part comes none.
    expect(pick(moves, 'f6', 'g7', 'g7', 'g7').shares).toEqual({});
    // With 2 on g7, nothing is left for e5.
    expect(pick(moves, 'f6', 'g7', 'g7', 'e5').shares).toEqual({ g7: 2 });
  });

  test('a part that needs others is not yet a move', () => {
    const needy = [split(['g7', 1], ['e5', 1])];
    expect(pick(needy, 'f6', 'g7').shares).toEqual({ g7: 1 });
    expect(selectedMove(needy, pick(needy, 'f6', 'g7'))).toBeNull();
    expect(selectedMove(needy, pick(needy, 'f6', 'g7', 'e5'))).not.toBeNull();
  });

  test('combines as much as possible, and each unit can give more or less', () => {
    expect(selected('f6', 'f7')).toBe('join f6,2 g8,2');
    expect(selected('f6', 'f7', 'f6')).toBe('join f6,1 g8,2');
    // After its greatest gift, a unit takes no part and another one does.
    expect(selected('f6', 'f7', 'f6', 'g8')).toBe('join f6,1 e7,1');
    expect(selected('f6', 'f7', 'e7')).toBe('join f6,1 e7,1');
    expect(selected('f6', 'g6')).toBe('ring');
  });

  test('offers the kinds of move at the unit, and keeps the target', () => {
    const offered = optionsAtFigure(moves, pick(moves, 'f6'));
    expect(values(offered)).toEqual(['split', 'move', 'combine', 'sym-combine', 'backstab']);
    const splitting = choose(offered, 'split');
    expect(targetMarks(moves, splitting).get('f5')).toBe('split');
    expect(selectedMove(moves, pickCell(moves, splitting, 'f5'))?.text).toBe('split f5,1');
    const onE5 = optionsAtFigure(moves, pickCell(moves, splitting, 'e5'));
    expect(selectedMove(moves, choose(onE5, 'backstab'))?.text).toBe('stab');
  });

  test('with combining selected, picks the other unit first', () => {
    const combining = choose(optionsAtFigure(moves, pick(moves, 'f6')), 'combine');
    const both = pickCell(moves, combining, 'e7');
    expect(selectedMove(moves, pickCell(moves, both, 'f7'))?.text).toBe('join f6,1 e7,1');
  });

  test('offers the outcomes of an attack by several units at the enemy', () => {
    const offered = optionsAtTarget(moves, pick(moves, 'h8'));
    expect(offered?.cell).toBe('h8');
    expect(offered?.options.map(({ value, amount }) => [value, amount])).toEqual([
      ['damage', 1],
      ['damage', 2],
      ['liberate', null],
    ]);
    expect(selectedMove(moves, choose(offered, 'liberate'))?.text).toBe('free');
    expect(selectedMove(moves, pick(moves, 'h8'))).toBeNull();
  });
});
