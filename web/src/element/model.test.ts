import { beforeEach, expect, test } from 'vitest';
import type { LegalMove, PlayedMove, PositionRequest, View } from '../lib/types';
import type { Attributes } from './attributes';
import { BoardModel } from './model.svelte';

// A game for tests: moves are `a` and `b` and always legal; the position is the list of moves. Moves that must be confirmed
// share out heights.

const move = (text: string): LegalMove => ({
  text,
  san: text.toUpperCase(),
  action_word: null,
  index: 0,
  kind: confirmMoves ? 'split' : 'move',
  from: hasCells ? 'a1' : null,
  to: confirmMoves || !hasCells ? null : text,
  group: [],
  deploys: false,
  takes: null,
  becomes: null,
  amount: null,
  shares: confirmMoves ? [{ cell: text, amount: 1 }] : [],
});

function view({ kind, rules = 'standard', position = 'start', moves = [] }: PositionRequest): View {
  const wrong = moves.find((text) => text !== 'a' && text !== 'b');
  if (wrong !== undefined) throw new Error(`illegal move \`${wrong}\``);
  const played = moves.map((text, i): PlayedMove => ({
    text,
    san: text.toUpperCase(),
    action_word: null,
    index: 0,
    player: i % 2 === 0 ? 'first' : 'second',
  }));
  return {
    kind,
    rules,
    players: { first: 'White', second: 'Black' },
    first_position: position,
    position: [position, ...moves].join(' '),
    hash: '',
    occurrences: 1,
    turn: moves.length % 2 === 0 ? 'first' : 'second',
    in_check: null,
    cell_in_check: null,
    outcome: { over: false, winner: null, reason: null, description: '' },
    board: {
      outline: 'square',
      width: 0,
      height: 0,
      inks: { first: '', second: '' },
      cells: [],
      labels: [],
      scenery: [],
    },
    arrangement: { cells: {}, turn: 'first', fields: {} },
    turn_in_progress: null,
    overlays: [],
    moves_played: played,
    legal_moves: [move('a'), move('b')],
    legal_count: 2,
  };
}

const attributes = (given: Partial<Attributes>): Attributes => ({
  game: 'toy',
  rules: null,
  position: null,
  moves: null,
  orientation: null,
  interactive: null,
  coordinates: null,
  animation: null,
  theme: null,
  board: null,
  pieces: null,
  ...given,
});

let log: string[];
let allow: boolean;
let requests: number;
let confirmMoves: boolean;
let hasCells: boolean;
let model: BoardModel;
beforeEach(() => {
  log = [];
  allow = true;
  requests = 0;
  confirmMoves = false;
  hasCells = true;
  model = new BoardModel(
    async (route, body) => {
      requests++;
      await Promise.resolve();
      return route === 'kinds'
        ? ['toy', 'chess', 'go'].map((name) => ({ name, confirm_moves: confirmMoves }))
        : view(body as PositionRequest);
    },
    {
      allowMove: ({ text }, { position }) => {
        log.push(`move ${text}: ${model.view?.position} -> ${position}`);
        return allow;
      },
      updated: ({ position }) => void log.push(`update ${position}`),
      failed: (error) => void log.push(`error ${(error as Error).message}`),
    },
  );
});

test('loads a position with moves, and again only if one of their attributes changes', async () => {
  await model.apply(attributes({ moves: 'a b' }));
  const before = requests;
  await model.apply(attributes({ moves: 'a b', orientation: 'black' }));
  expect(model.display.orientation).toBe('second');
  expect(requests).toBe(before);
  await model.apply(attributes({ moves: 'a' }));
  expect(log).toEqual(['update start a b', 'update start a']);
});

test('a user plays a move on an interactive board', async () => {
  await model.apply(attributes({ interactive: 'white' }));
  await model.selectCell('a1');
  await model.selectCell('b');
  expect(log).toEqual(['update start', 'move b: start -> start b', 'update start b']);
  expect(model.announcement.text).toBe('White: B');
  // It is Black's turn.
  expect(model.legalMoves).toEqual([]);
  await model.selectCell('a1');
  expect(model.selection.cells).toEqual([]);
});

test('a user plays moves without cells by their names', async () => {
  await model.apply(attributes({ interactive: 'white' }));
  expect(model.movesWithoutCells).toEqual([]);
  hasCells = false;
  await model.apply(attributes({ interactive: 'white' }), true);
  expect(model.movesWithoutCells.map(({ san }) => san)).toEqual(['A', 'B']);
  await model.play('b');
  expect(model.view?.position).toBe('start b');
  // It is Black's turn.
  expect(model.movesWithoutCells).toEqual([]);
});

test('nobody moves on a board that is not interactive', async () => {
  await model.apply(attributes({}));
  await model.selectCell('a1');
  await model.selectCell('b');
  expect(log).toEqual(['update start']);
});

test('a rejected move leaves the position as it was', async () => {
  allow = false;
  await model.apply(attributes({ interactive: '' }));
  await model.play('b');
  expect(model.view?.position).toBe('start');
  expect(log).toEqual(['update start', 'move b: start -> start b']);
});

test('previews a move until it is confirmed', async () => {
  confirmMoves = true;
  await model.apply(attributes({ interactive: '' }));
  await model.selectCell('a1');
  await model.selectCell('b');
  expect(model.preview).not.toBeNull();
  expect(model.view?.position).toBe('start');
  // Picking the unit again plays the move.
  await model.selectCell('a1');
  expect(model.preview).toBeNull();
  expect(model.view?.position).toBe('start b');
});

test('changes happen in the order of the calls', async () => {
  await Promise.all([
    model.apply(attributes({ interactive: '' })),
    model.extend('a'),
    model.extend('b'),
    model.undo(),
    model.extend('a'),
  ]);
  expect(log).toEqual([
    'update start',
    'update start a',
    'update start a b',
    'update start a',
    'update start a a',
  ]);
});

test('ignores a move that was selected in an earlier position', async () => {
  await model.apply(attributes({ interactive: '' }));
  await Promise.all([model.extend('a'), model.play('b')]);
  expect(model.view?.position).toBe('start a');
});

test('takes back moves as far as the start', async () => {
  await model.apply(attributes({ moves: 'a' }));
  expect((await model.undo()).position).toBe('start');
  const announced = model.announcement.count;
  expect((await model.undo()).position).toBe('start');
  expect(model.announcement.count).toBe(announced);
});

test('reload shows the attributes again', async () => {
  await model.apply(attributes({ moves: 'a' }));
  await model.extend('b');
  await model.apply(attributes({ moves: 'a' }), true);
  expect(model.view?.position).toBe('start a');
});

test('an illegal move of a caller is rejected and changes nothing', async () => {
  await model.apply(attributes({}));
  await expect(model.extend('x')).rejects.toThrow('illegal move `x`');
  expect(model.view?.position).toBe('start');
  expect(model.problem).toBe('');
  expect((await model.extend('a')).position).toBe('start a');
});

test('reports wrong attributes until they are corrected', async () => {
  await model.apply(attributes({ moves: 'x' }));
  expect(model.problem).toBe('illegal move `x`');
  expect(model.view).toBeNull();
  await expect(model.extend('a')).rejects.toThrow('illegal move `x`');
  await model.apply(attributes({ moves: 'x', orientation: 'red' }));
  await model.apply(attributes({ orientation: 'red' }));
  await model.apply(attributes({ game: null }));
  await model.apply(attributes({}));
  expect(model.problem).toBe('');
  expect(log).toEqual([
    'error illegal move `x`',
    'error illegal move `x`',
    'error unknown orientation `red`: expected first, white, second or black',
    'error missing attribute `game`: expected toy, chess or go',
    'update start',
  ]);
});

test('announces moves in the language of the element', async () => {
  model.language = 'vi';
  await model.apply(attributes({}));
  await model.extend('a');
  expect(model.announcement.text).toBe('Trắng: A');
});

test('shows errors of the core in the language of the element', async () => {
  const body = { code: 'conflict', message: 'x', detail: { code: 'chess_fen.ranks', params: { found: 4 } } };
  const failing = new BoardModel(() => Promise.reject(Object.assign(new Error('English'), { body })), {
    allowMove: () => true,
    updated: () => undefined,
    failed: () => undefined,
  });
  await failing.apply(attributes({}));
  expect(failing.problem).toBe('English');
  failing.language = 'vi';
  await failing.apply(attributes({}));
  expect(failing.problem).toBe('cần 8 hàng, nhưng có 4');
  failing.showError(Object.assign(new Error('English'), { body }));
  expect(failing.error).toBe('English');
  await expect.poll(() => failing.error).toBe('cần 8 hàng, nhưng có 4');
});
