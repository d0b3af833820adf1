import { expect, test, vi } from 'vitest';
import { figureLines } from './piece-text';
import type { RangeDiagram } from '../learn/rules-page';
import type { Board, Figure, Palette, Piece, Player } from '../types';

vi.hoisted(() => vi.stubGlobal('navigator', { language: 'en' }));

function piece(kind: string, options: Partial<Piece> = {}): Piece {
  const drawing = { place: null, outlines: [], symbol: '', badge: '' };
  return {
    kind,
    owner: 'first',
    role: 'alone',
    height: null,
    starred: false,
    ...drawing,
    ...options,
  };
}
const figure = (pieces: Piece[], owner: Player = 'first'): Figure => ({
  ...{ owner, letters: '', token: '', starred: pieces[0]?.starred ?? false },
  pieces,
});
const range = (explains: string): RangeDiagram => ({
  ...{ explains, position: '', piece: '', hidden: [] },
  text: `The range of ${explains}.`,
});

const empty: Palette = { regions: [], figures: [] };
const players = { first: 'Red', second: 'Blue' };
const view = (...figures: Figure[]) => ({
  players,
  board: { cells: figures.map((on, i) => ({ name: `a${i}`, terrain: [], figure: on })) } as unknown as Board,
});

const hero = figure([piece('tank', { starred: true })]);

test('the card of a hero says how heroes are made, not how this one was: a position does not tell', () => {
  const { lines } = figureLines(hero, view(hero), empty, [range('tank')]);
  expect(lines).toEqual([
    'The range of tank.',
    'A piece becomes heroic by an attack on the enemy commander, or as the last piece beside its own.',
    'A hero moves one square farther and in all eight directions.',
  ]);
});

test('the range of a stack is that of its carrier', () => {
  const stack = figure([piece('navy', { role: 'carrier' }), piece('tank', { role: 'passenger' })]);
  const { title, lines } = figureLines(stack, view(stack), empty, [range('tank'), range('navy')]);
  expect(title).toBe('red Navy carrying Tank');
  expect(lines).toEqual(['The range of navy.']);
});

test('a tribun has the range of its height, and height 1 one of its own', () => {
  const ranges = ['unit 1', 'unit 4', 'tribun'].map(range);
  const tribun = (height: number) => figure([piece('unit', { height, starred: true })]);
  expect(figureLines(tribun(4), view(tribun(4)), empty, ranges).lines).toEqual([
    'The range of unit 4.',
    'An attack on the tribun wins the game.',
  ]);
  expect(figureLines(tribun(1), view(tribun(1)), empty, ranges).lines[0]).toBe('The range of tribun.');
});

test('a unit with a slave says how it acts', () => {
  const unit = figure([
    piece('unit', { height: 3, role: 'carrier' }),
    piece('unit', { height: 2, role: 'slave', owner: 'second' }),
  ]);
  const { lines } = figureLines(unit, view(unit), empty, [range('unit 3')]);
  expect(lines[1]).toContain('Its slave has height 2');
});
