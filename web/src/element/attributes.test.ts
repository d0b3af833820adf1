import { expect, test } from 'vitest';
import { AttributeError, parseDisplay, parseMoves, type Attributes } from './attributes';

const players = { first: 'Red', second: 'Blue' };
const absent: Attributes = {
  game: null,
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
};
const parse = (attributes: Partial<Attributes>) => parseDisplay({ ...absent, ...attributes }, players);

test('without attributes, a board shows the first player at the bottom and nobody may move', () => {
  expect(parse({})).toEqual({
    orientation: 'first',
    movers: [],
    coordinates: 'outside',
    animation: true,
    theme: 'auto',
    board: 'classic',
    pieces: 'flat',
  });
});

test.each([
  ['first', 'first'],
  ['red', 'first'],
  ['second', 'second'],
  [' Blue ', 'second'],
])('a player is a number or a colour: %s', (value, player) => {
  expect(parse({ orientation: value }).orientation).toBe(player);
  expect(parse({ interactive: value }).movers).toEqual([player]);
});

test.each(['', 'both', 'true'])('everybody may move: interactive="%s"', (interactive) => {
  expect(parse({ interactive }).movers).toEqual(['first', 'second']);
});

test('parses options', () => {
  expect(
    parse({ coordinates: 'off', animation: 'off', theme: 'dark', board: 'slate', pieces: ' Relief ' }),
  ).toMatchObject({
    coordinates: 'off',
    animation: false,
    theme: 'dark',
    board: 'slate',
    pieces: 'relief',
  });
});

test.each([
  [null, 'outside'],
  ['on', 'outside'],
  ['outside', 'outside'],
  ['inside', 'inside'],
  ['off', 'off'],
])('places the coordinates: %s', (value, place) => {
  expect(parse({ coordinates: value }).coordinates).toBe(place);
});

test.each([
  ['orientation', 'white', 'unknown orientation `white`: expected first, red, second or blue'],
  ['orientation', '', 'unknown orientation ``: expected first, red, second or blue'],
  ['interactive', 'white', 'unknown interactive `white`: expected both, first, red, second or blue'],
  ['coordinates', 'no', 'unknown coordinates `no`: expected on, outside, inside or off'],
  ['animation', '', 'unknown animation ``: expected on or off'],
  ['theme', 'pink', 'unknown theme `pink`: expected auto, light or dark'],
  ['board', 'pink', 'unknown board `pink`: expected classic, slate or meadow'],
  ['pieces', 'wood', 'unknown pieces `wood`: expected flat, relief or contrast'],
] as const)('reports a wrong %s: "%s"', (attribute, value, message) => {
  const error = (() => {
    try {
      return parse({ [attribute]: value });
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(AttributeError);
  expect(error).toMatchObject({ attribute, message });
});

test('moves are separated by white space', () => {
  expect(parseMoves(null)).toEqual([]);
  expect(parseMoves('')).toEqual([]);
  expect(parseMoves(' e4\n e5  Nf3 ')).toEqual(['e4', 'e5', 'Nf3']);
});
