import { expect, test } from 'vitest';
import { looksLikeRecord } from './import-format';

test.each([
  '1. e4 e5 2. Nf3 *',
  '[Event "?"]\n\n1. e4 e5',
  '  [White "A/B/C"]\n1. e4',
  '1.d4 d5',
  'e4 e5 Nf3',
  '1. c4:-:N>a4,F>f4,T>c6 Ce12',
  '[Position "black:a1=1* white:k11=1* b -"]\n\n1. 0x0000243C',
])('a record: %s', (text) => {
  expect(looksLikeRecord(text)).toBe(true);
});

test.each([
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  '  8/8/8/8/8/8/8/8 w - - 0 1\n',
  '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1',
  'black:a1=1*,f6=2,e5=1 white:k11=1*,g8=1 b -',
])('a position: %s', (text) => {
  expect(looksLikeRecord(text)).toBe(false);
});
