import { beforeEach, expect, test, vi } from 'vitest';
import type { BoardController } from '../board/board-controller.svelte';
import { noLayers } from '../board/layers';
import type { Inspection, LegalMove, View } from '../types';
import { Inspector } from './inspector.svelte';

const { api } = vi.hoisted(() => {
  vi.stubGlobal('navigator', { language: 'en' });
  return { api: { inspect: vi.fn<(request: unknown) => Promise<Inspection>>() } };
});
vi.mock('../api', () => ({ api, errorMessage: String }));

const plane = (name: string, ...values: number[]) => ({ name, values });
const inspectionOf = (...planes: ReturnType<typeof plane>[]) =>
  ({ planes, frame: ['a1', null, 'b1'] }) as unknown as Inspection;
const move = (text: string, index: number) =>
  ({ text, san: text, index, from: 'a1', to: 'b1', takes: null, shares: [] }) as unknown as LegalMove;
const moves = [move('a1b1', 7), move('a1c1', 12)];
const view = {
  turn: 'first',
  board: { cells: [{ name: 'a1', index: '0', terrain: [] }] },
  legal_moves: moves,
  overlays: [
    { owner: 'first', cells: [{ cell: 'a1', sources: ['x'] }] },
    { owner: 'second', cells: [{ cell: 'a1', sources: ['y', 'z'] }] },
  ],
} as unknown as View;

let controller: BoardController;
let inspector: Inspector;
beforeEach(() => {
  vi.clearAllMocks();
  controller = {
    ...{ node: { parent: null }, selection: { cells: [] }, candidates: [moves[1]] },
    completeMoves: () => null,
    request: () => ({ kind: 'chess' }),
  } as unknown as BoardController;
  inspector = new Inspector(controller, () => view);
});
const settle = () => new Promise((done) => setTimeout(done));

test('a position is requested once, and again after an error', async () => {
  api.inspect.mockRejectedValueOnce('offline').mockResolvedValue(inspectionOf());
  inspector.load();
  await settle();
  expect(inspector.error).toBe('offline');
  inspector.load();
  inspector.load();
  await settle();
  expect([inspector.error, api.inspect.mock.calls.length]).toEqual(['', 2]);
});

test('a response for a position that was left is ignored', async () => {
  api.inspect.mockResolvedValue(inspectionOf());
  inspector.load()();
  await settle();
  expect(inspector.inspection).toBeNull();
});

test('planes are filtered by their values and by their changes', () => {
  inspector.inspection = inspectionOf(plane('zero', 0, 0, 0), plane('same', 1, 0, 0), plane('new', 1, 0, 1));
  inspector.previous = inspectionOf(plane('zero', 0, 0, 0), plane('same', 1, 0, 0), plane('new', 1, 0, 0));
  const shown = () => inspector.planes.map(({ name }) => name);
  expect(shown()).toEqual(['same', 'new']);
  inspector.filter = 'changed';
  expect(shown()).toEqual(['new']);
  inspector.filter = 'all';
  expect(shown()).toEqual(['zero', 'same', 'new']);
});

test('a hovered plane comes before a pinned one, on the cells of the board', () => {
  inspector.inspection = inspectionOf(plane('pinned', 1, 0, 0), plane('hovered', 0, 0, 0.5));
  expect(inspector.layers).toBe(noLayers);
  inspector.open = true;
  inspector.pinnedPlane = 'pinned';
  const heat = () => Object.fromEntries(inspector.layers.heat);
  expect(heat()).toEqual({ a1: 1, b1: 0 });
  inspector.hoveredPlane = 'hovered';
  expect(heat()).toEqual({ a1: 0, b1: 0.5 });
});

test('moves are those of the selection that match the search, and a hovered one is an arrow', () => {
  inspector.open = true;
  inspector.searchText = ' A1B';
  expect(inspector.moves).toEqual([moves[0]]);
  inspector.hoveredMove = moves[0] ?? null;
  expect(inspector.layers.shapes).toEqual([{ from: 'a1', to: 'b1', tone: 'inspector' }]);
  inspector.searchText = '12';
  expect([inspector.moves, inspector.layers.shapes]).toEqual([[moves[1]], []]);
});

test('the labels of zones name what affects a cell, of both players', () => {
  inspector.open = true;
  inspector.labels = 'zones';
  expect(inspector.layers.zones).toEqual([
    { cell: 'a1', owner: 'first' },
    { cell: 'a1', owner: 'second' },
  ]);
  expect([...inspector.layers.texts]).toEqual([['a1', ['x y z']]]);
  inspector.labels = 'index';
  expect([...inspector.layers.texts]).toEqual([['a1', ['0']]]);
});
