import { describe, expect, test } from 'vitest';
import type { Detail } from '../lib/types';
import codes from './codes.json';
import { planes } from './planes.vi';
import { translator } from './server-text';
import { messages } from './server-text.vi';
import { textsOf } from './texts';
import { vi } from './vi';

const translate = translator('vi', messages, textsOf(() => vi).term);
const white = { term: 'White' };

describe('translates', () => {
  test.each<[string, Detail, string | undefined]>([
    ['a sentence', { code: 'chess_pgn.no_game', params: {} }, 'không tìm thấy ván cờ nào'],
    ['numbers', { code: 'chess_fen.files', params: { rank: 3, files: 9 } }, 'hàng 3: cần 8 cột, nhưng có 9'],
    [
      'nested messages, and terms in them',
      {
        code: 'request.at_move',
        params: {
          number: 2,
          error: {
            code: 'chess_move.illegal',
            params: {
              text: 'Ke5',
              reason: { code: 'chess_illegal.no_such_move', params: { piece: { term: 'king' }, to: 'e5' } },
            },
          },
        },
      },
      'nước thứ 2: nước đi không hợp lệ `Ke5`: không Vua nào đi hợp lệ đến e5 được',
    ],
    [
      'several messages',
      {
        code: 'setup',
        params: {
          reasons: [
            { code: 'chess_setup.no_king', params: { player: white } },
            { code: 'chess_setup.no_king', params: { player: { term: 'Black' } } },
          ],
        },
      },
      'Trắng không có vua; Đen không có vua',
    ],
    [
      'alternatives',
      {
        code: 'unknown_name',
        params: {
          what: { code: 'named.game', params: {} },
          name: 'go',
          known: ['chess', 'cotulenh', 'tribun'],
        },
      },
      'môn cờ không xác định `go`: cần chess, cotulenh hoặc tribun',
    ],
    [
      'user input stays as it is',
      { code: 'game.not_found', params: { id: 'White {id} $&' } },
      'không tìm thấy ván cờ `White {id} $&`',
    ],
    ['an unknown code', { code: 'constructor', params: {} }, undefined],
    [
      'an unknown code in a message',
      { code: 'setup', params: { reasons: [{ code: 'new', params: {} }] } },
      undefined,
    ],
    [
      'an unknown code in a parameter',
      { code: 'chess_pgn.fen', params: { error: { code: 'new', params: {} } } },
      undefined,
    ],
  ])('%s', (_, detail, vietnamese) => {
    expect(translate(detail)).toBe(vietnamese);
  });
});

test('every code of the server has a Vietnamese sentence, and every sentence a code', () => {
  expect(Object.keys(codes.codes).length).toBeGreaterThan(150);
  expect(Object.keys(messages).sort()).toEqual(Object.keys(codes.codes).sort());
});

test('every sentence uses exactly the parameters of its code', () => {
  const params: Partial<Record<string, string[]>> = codes.codes;
  for (const [code, sentence] of Object.entries(messages)) {
    const used = [...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
    expect(used, code).toEqual([...(params[code] ?? [])].sort());
  }
});

test('every plane has a Vietnamese name and description', () => {
  const names = (encodings: Record<string, Record<string, unknown>>) =>
    Object.entries(encodings).map(([encoding, byName]) => [encoding, Object.keys(byName).sort()]);
  expect(names(planes)).toEqual(names(codes.planes));
  for (const [encoding, byName] of Object.entries(planes)) {
    const english: Partial<Record<string, string>> = codes.planes[encoding as keyof typeof codes.planes];
    for (const [name, text] of Object.entries(byName)) {
      expect(text.name, name).not.toBe(name);
      expect(text.description, name).not.toBe(english[name]);
    }
  }
});
