import { describe, expect, test } from 'vitest';
import { termLookup, translator } from './server-text';
import { catalog } from './server-text.vi';
import { vi } from './vi';

const translate = translator(catalog, termLookup(vi));

describe('translates', () => {
  test.each([
    ['no game found', 'không tìm thấy ván cờ nào'],
    ['rank 3: expected 8 files, found 9', 'hàng 3: cần 8 cột, nhưng có 9'],
    // Nested messages, and terms in them.
    [
      'move 2: illegal move `Ke5`: no king can legally move to e5',
      'nước thứ 2: nước đi không hợp lệ `Ke5`: không Vua nào đi hợp lệ đến e5 được',
    ],
    ['White has no king; Black has no king', 'Trắng không có vua; Đen không có vua'],
    [
      'line 3: invalid `Position` tag: tile f6 holds two units: expected at most one',
      'dòng 3: thẻ `Position` không hợp lệ: ô f6 có hai quân: nhiều nhất là một',
    ],
    ['own heroic Air Force', 'Không quân anh hùng ta'],
    // Quoted user input stays untranslated.
    ['game `turn` not found', 'không tìm thấy ván cờ `turn`'],
    ['not in the catalog', 'not in the catalog'],
    ['constructor', 'constructor'],
  ])('%s', (english, vietnamese) => {
    expect(translate(english)).toBe(vietnamese);
  });
});

const countPlaceholders = (text: string) => text.split('{}').length - 1;

test('every translation uses each placeholder exactly once', () => {
  for (const [english, vietnamese] of Object.entries(catalog)) {
    const numbers = [...vietnamese.matchAll(/\{(\d)\}/g)].map(([, number]) => Number(number)).sort();
    expect(numbers, english).toEqual(Array.from({ length: countPlaceholders(english) }, (_, i) => i + 1));
  }
});

/** The Rust sources with errors that can reach the page. */
const sources = import.meta.glob<string>(
  [
    '../../../crates/{core,chess,cotulenh,tribun,sandtable,server}/src/**/*.rs',
    // Not reachable from the page: arrays, vector environments, levels and errors at server start.
    '!../../../crates/core/src/planes.rs',
    '!../../../crates/sandtable/src/{npy,level,vector_env}.rs',
    '!../../../crates/server/src/{lib,store}.rs',
  ],
  { query: '?raw', import: 'default', eager: true },
);

/** The error messages in a Rust source, with `{}` for every argument. */
function errorMessages(source: string): string[] {
  const code = source.split('#[cfg(test)]')[0] ?? '';
  const literal = '(?:format!\\(\\s*)?"((?:[^"\\\\]|\\\\.)*)"';
  const contexts = [
    '#\\[error\\(',
    'write!\\(\\s*f,',
    '\\bErr\\(',
    '\\bmessage = ',
    '(?:ApiError|Self)::(?:new|bad_request|conflict)\\(\\s*(?:ErrorCode::\\w+,)?',
    '\\b(?:forbidden|invalid)\\(',
  ];
  const found = contexts.flatMap((context) => [
    ...code.matchAll(new RegExp(`${context}\\s*${literal}`, 'g')),
  ]);
  return found.map(([, text = '']) =>
    text
      .replaceAll('\\"', '"')
      .replace(/\{\{|\}\}|\{[^{}]*\}/g, (part) => (part === '{{' ? '{' : part === '}}' ? '}' : '{}')),
  );
}

test('every error message of the games and the server is translated', () => {
  // Fewer than two literal words: a notation, not a message.
  const errors = Object.values(sources)
    .flatMap(errorMessages)
    .filter((text) => (text.replaceAll('{}', '').match(/[a-z]{2,}/g) ?? []).length > 1);
  expect(errors.length).toBeGreaterThan(150);
  expect(errors.filter((text) => !(text in catalog))).toEqual([]);
});
