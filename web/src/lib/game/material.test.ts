import { expect, test } from 'vitest';
import { material } from './material';
import type { Board, Piece, Player, Role } from '../types';

function piece(kind: string, owner: Player, height: number | null = null, role: Role = 'alone'): Piece {
  return { kind, owner, role, height, place: null, starred: false, outlines: [], symbol: '', badge: '' };
}

/** A board with one figure per list of pieces. */
function board(...figures: Piece[][]): Board {
  const cells = figures.map((pieces, i) => ({
    name: `a${i}`,
    index: '',
    x: 0,
    y: i,
    ground: 'light' as const,
    terrain: [],
    marked: false,
    figure: { owner: pieces[0]?.owner ?? 'first', letters: '', token: '', starred: false, pieces },
  }));
  return {
    outline: 'square',
    width: 1,
    height: figures.length,
    inks: { first: '', second: '' },
    cells,
    labels: [],
    scenery: [],
  };
}

const pawns = (owner: Player, count: number) => Array.from({ length: count }, () => [piece('pawn', owner)]);
const kinds = (pieces: Piece[]) => pieces.map(({ kind }) => kind);

test('captured pieces are listed for the side that captured them', () => {
  const start = board(...pawns('first', 3), ...pawns('second', 3), [piece('queen', 'second')]);
  const now = board(...pawns('first', 2), ...pawns('second', 1));
  const { first, second } = material(start, now);
  expect(kinds(first.captured)).toEqual(['pawn', 'pawn', 'queen']);
  expect(kinds(second.captured)).toEqual(['pawn']);
  expect(first.height).toBeNull();
});

test('a promoted pawn is not captured', () => {
  const start = board(...pawns('first', 3), [piece('queen', 'first')]);
  const promoted = board(...pawns('first', 1), [piece('queen', 'first')], [piece('queen', 'first')]);
  expect(kinds(material(start, promoted).second.captured)).toEqual(['pawn']);
  const underpromoted = board(...pawns('first', 2), [piece('knight', 'first')]);
  expect(kinds(material(start, underpromoted).second.captured)).toEqual(['queen']);
});

test('carried pieces count', () => {
  const start = board([piece('navy', 'first'), piece('tank', 'first')]);
  const now = board([piece('navy', 'first')]);
  expect(kinds(material(start, now).second.captured)).toEqual(['tank']);
});

test('units have a sum of heights, without slaves', () => {
  const start = board([piece('unit', 'first', 3)], [piece('unit', 'second', 2)]);
  const now = board(
    [piece('unit', 'first', 3), piece('unit', 'second', 2, 'slave')],
    [piece('unit', 'first', 1)],
  );
  const { first, second } = material(start, now);
  expect([first.height, second.height]).toEqual([4, 0]);
  expect(first.captured).toEqual([]);
});
