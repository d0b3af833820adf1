import { expect, test } from 'vitest';
import { PIECE_THEMES } from './board-themes';
import { figureStyle } from './figure-style';
import type { ByPlayer, Piece, Player } from '../types';

const piece = (owner: Player): Piece => ({
  kind: 'tank',
  owner,
  role: 'alone',
  place: null,
  height: null,
  starred: false,
  outlines: [],
  symbol: 'M0 0',
  badge: '',
});
const red = '#b71c1c';
const blue = '#154c9e';
const bodies = (inks: ByPlayer<string>) =>
  PIECE_THEMES.map((theme) => [
    figureStyle(piece('first'), inks, theme).body,
    figureStyle(piece('second'), inks, theme).body,
  ]);

test('figures have the inks of their owners', () => {
  const white = { first: '#fffcf5', second: '#22201e' };
  expect(bodies(white)).toEqual(PIECE_THEMES.map(() => [white.first, white.second]));
  const [flat, relief] = bodies({ first: red, second: blue });
  expect([flat, relief]).toEqual([
    [red, blue],
    [red, blue],
  ]);
});

test('with high contrast, one of two dark sides is light with lines of its colour', () => {
  const style = (owner: Player) => figureStyle(piece(owner), { first: red, second: blue }, 'contrast');
  expect(style('first').body).toBe(red);
  expect(style('second')).toMatchObject({ body: '#fffdf6', line: blue, edge: blue });
});

test('lines contrast with the body', () => {
  const inks = { first: '#fffcf5', second: '#22201e' };
  expect(figureStyle(piece('first'), inks, 'flat').line).toBe('#1f1c18');
  expect(figureStyle(piece('second'), inks, 'flat').line).toBe('#f4efe6');
});
