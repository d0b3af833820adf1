import { expect, test } from 'vitest';
import { pieceFacts, pieceKeys } from './piece-facts';
import type { Board, Figure, Palette, Piece, Role } from '../types';

function piece(kind: string, role: Role = 'alone', height: number | null = null, starred = false): Piece {
  const drawing = { place: null, outlines: [], symbol: '', badge: '' };
  return { kind, owner: 'first', role, height, starred, ...drawing };
}
const figure = (...pieces: Piece[]): Figure => ({
  ...{ owner: 'first', letters: '', token: '', starred: false },
  pieces,
});

const board = {
  cells: [
    { name: 'a1', terrain: ['sea', 'lower'] },
    { name: 'c1', terrain: ['coast', 'lower'] },
    { name: 'd1', terrain: ['land', 'lower'] },
  ],
} as Board;

const palette: Palette = {
  regions: [
    ['a1', 'c1'],
    ['c1', 'd1'],
    ['a1', 'c1', 'd1'],
  ],
  figures: [
    { figure: figure(piece('navy')), region: 0 },
    { figure: figure(piece('tank')), region: 1 },
    { figure: figure(piece('ghost')), region: 2 },
    { figure: figure(piece('navy', 'carrier'), piece('tank', 'passenger')), region: 0 },
    {
      figure: figure(piece('navy', 'carrier'), piece('tank', 'passenger'), piece('infantry', 'passenger')),
      region: 0,
    },
    { figure: figure(piece('tank', 'carrier'), piece('infantry', 'passenger')), region: 1 },
  ],
};

test('the facts about a piece come from the palette', () => {
  expect(pieceFacts('navy', palette, board)).toEqual({
    terrain: ['sea', 'coast'],
    carries: ['tank', 'infantry'],
    carriedBy: [],
  });
  expect(pieceFacts('tank', palette, board)).toEqual({
    terrain: ['coast', 'land'],
    carries: ['infantry'],
    carriedBy: ['navy'],
  });
});

test('the terrain of a piece that may stand everywhere is not listed', () => {
  expect(pieceFacts('ghost', palette, board).terrain).toEqual([]);
});

test('pieces are named by kind, units by height', () => {
  expect(pieceKeys(figure(piece('navy', 'carrier'), piece('tank', 'passenger')))).toEqual(['navy', 'tank']);
  expect(pieceKeys(figure(piece('unit', 'carrier', 3), piece('unit', 'slave', 2)))).toEqual([
    'unit 3',
    'unit 2',
  ]);
  expect(pieceKeys(figure(piece('unit', 'alone', 1, true)))).toEqual(['tribun']);
  expect(pieceKeys(figure(piece('unit', 'alone', 4, true)))).toEqual(['tribun', 'unit 4']);
});
