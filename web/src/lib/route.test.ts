import { expect, test } from 'vitest';
import { format, parse, type Route } from './route';

const routes: Route[] = [
  { page: 'home', said: null },
  { page: 'home', said: { kind: 'tribun', position: 'black:a1=1* white:k11=4* b -' } },
  { page: 'game', id: '7q2m4x9k1c' },
  { page: 'games' },
  {
    page: 'analysis',
    said: {
      kind: 'cotulenh',
      rules: 'club',
      position: '6c4/11/11/11/11/11/11/11/11/11/11/6(+HC)4 r - - 0 1',
      moves: ['Tc3>c4', '(FT)c3>&f3', 'end'],
    },
  },
  { page: 'analysis', said: { kind: 'chess', moves: ['e2e4', 'e7e5'] }, ply: 0 },
  { page: 'editor', said: { kind: 'chess', moves: ['e2e4', '0x0000243C'] } },
];

test.each(routes)('an address says everything: %o', (route) => {
  expect(parse(format(route))).toEqual(route);
});

test('an address that means nothing is the first page', () => {
  expect(parse('#/nowhere')).toEqual({ page: 'home', said: null });
  expect(parse('')).toEqual({ page: 'home', said: null });
});

test('an address that was cut off in the middle of a letter is still one', () => {
  expect(parse('#/game/%')).toEqual({ page: 'game', id: '%' });
});

test('moves may be any space apart', () => {
  const said = { kind: 'chess', moves: ['e2e4', 'e7e5'] };
  expect(parse('#/analysis?kind=chess&moves=%20e2e4%20%20e7e5%0A')).toEqual({ page: 'analysis', said });
  expect(parse('#/analysis?kind=chess&moves=%20')).toEqual({ page: 'analysis', said: { kind: 'chess' } });
});

test('a ply that is no number is not said', () => {
  for (const ply of ['', '-1', '1.5', 'e4']) {
    expect(parse(`#/analysis?kind=chess&ply=${ply}`)).toEqual({ page: 'analysis', said: { kind: 'chess' } });
  }
});
