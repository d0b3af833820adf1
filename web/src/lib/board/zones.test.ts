import { expect, test } from 'vitest';
import type { Board, Figure, Player, View } from '../types';
import { concernedZones } from './zones';

const figure = (owner: Player, ...kinds: string[]): Figure => ({
  ...{ owner, letters: '', token: '', starred: false },
  pieces: kinds.map((kind) => ({
    ...{ kind, owner, role: 'alone', place: null, height: null, starred: false },
    ...{ outlines: [], symbol: '', badge: '' },
  })),
});
const cell = (name: string, shown: Figure | null): Board['cells'][number] => ({
  ...{ name, index: '', x: 0, y: 0, ground: 'land', terrain: [], marked: false },
  figure: shown,
});
const board: Board = {
  ...{ outline: 'point', width: 1, height: 1, labels: [], scenery: [] },
  inks: { first: '#000', second: '#fff' },
  cells: [
    cell('a1', figure('first', 'tank')),
    cell('b1', figure('first', 'navy', 'air force')),
    cell('c1', figure('second', 'air force')),
    cell('d1', null),
  ],
};
const overlay = (owner: Player, name: string): View['overlays'][number] => ({
  ...{ name: 'air defence', owner, concerns: ['air force'] },
  cells: [{ cell: name, sources: [] }],
});
const overlays = [overlay('first', 'x'), overlay('second', 'y')];

test('the zones of the enemy are shown for an aircraft, also for one on board', () => {
  expect(concernedZones(board, ['b1'], overlays)).toEqual([{ cell: 'y', owner: 'second' }]);
  expect(concernedZones(board, ['c1'], overlays)).toEqual([{ cell: 'x', owner: 'first' }]);
});

test('other figures and empty cells have no zones', () => {
  expect(concernedZones(board, ['a1', 'd1'], overlays)).toEqual([]);
  expect(concernedZones(board, [], overlays)).toEqual([]);
});
