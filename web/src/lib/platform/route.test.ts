import { expect, test } from 'vitest';
import { format, parse, type Route } from './route';

const routes: Route[] = [
  { page: 'home', request: null },
  { page: 'home', request: { kind: 'tribun', position: 'black:a1=1* white:k11=4* b -' } },
  { page: 'game', id: '7q2m4x9k1c' },
  { page: 'home', request: null, opponent: 'lobby' },
  { page: 'games' },
  { page: 'puzzles' },
  { page: 'puzzles', kind: 'tribun' },
  { page: 'puzzles', kind: 'cotulenh', id: '86033632fc37af8b' },
  { page: 'lobby' },
  { page: 'learn' },
  { page: 'learn', kind: 'tribun' },
  { page: 'learn', kind: 'cotulenh', lesson: 'first-attack' },
  { page: 'join', id: '7q2m4x9k1c', token: 'f00d', transfer: true },
  { page: 'join', id: '7q2m4x9k1c', token: '0123456789abcdef0123456789abcdef' },
  {
    page: 'analysis',
    request: {
      kind: 'cotulenh',
      rules: 'club',
      position: '6c4/11/11/11/11/11/11/11/11/11/11/6(+HC)4 r - - 0 1',
      moves: ['Tc3>c4', '(FT)c3>&f3', 'end'],
    },
  },
  { page: 'analysis', request: { kind: 'chess', moves: ['e2e4', 'e7e5'] }, ply: 0 },
  { page: 'review', id: '7q2m4x9k1c' },
  { page: 'review', request: { kind: 'chess', moves: ['e2e4', 'e7e5'] }, nodes: 500 },
  { page: 'editor', request: { kind: 'chess', moves: ['e2e4', '0x0000243C'] } },
  {
    page: 'editor',
    request: { kind: 'cotulenh', rules: 'club' },
    arrangement: { cells: { a1: '(+NF)' }, turn: 'second', fields: { halfmoves: '&%"' } },
  },
];

test.each(routes)('formats and parses %o', (route) => {
  expect(parse(format(route))).toEqual(route);
});

test('recognises links that lead nowhere', () => {
  expect(parse('')).toEqual({ page: 'home', request: null });
  expect(parse('#/nowhere')).toEqual({ page: 'unknown' });
  expect(parse('#/join/7q2m4x9k1c')).toEqual({ page: 'unknown' });
});

test('ignores an arrangement that is not well-formed', () => {
  for (const text of [
    '',
    '{',
    'null',
    '7',
    '{"cells":{"a1":1},"turn":"first","fields":{}}',
    '{"cells":{}}',
  ]) {
    const parsed = parse(`#/editor?kind=chess&arrangement=${encodeURIComponent(text)}`);
    expect(parsed).toEqual({ page: 'editor', request: { kind: 'chess' } });
  }
});

test('a link without a position names no game', () => {
  for (const page of ['analysis', 'editor'] as const) {
    expect(parse(`#/${page}`)).toEqual({ page, request: null });
    expect(format({ page, request: null })).toBe(`#/${page}`);
  }
});

test('accepts a truncated percent escape', () => {
  expect(parse('#/game/%')).toEqual({ page: 'game', id: '%' });
});

test('splits moves at any white space', () => {
  const request = { kind: 'chess', moves: ['e2e4', 'e7e5'] };
  expect(parse('#/analysis?kind=chess&moves=%20e2e4%20%20e7e5%0A')).toEqual({ page: 'analysis', request });
  expect(parse('#/analysis?kind=chess&moves=%20')).toEqual({ page: 'analysis', request: { kind: 'chess' } });
});

test('ignores a ply that is not a number', () => {
  for (const ply of ['', '-1', '1.5', 'e4']) {
    expect(parse(`#/analysis?kind=chess&ply=${ply}`)).toEqual({
      page: 'analysis',
      request: { kind: 'chess' },
    });
  }
});
