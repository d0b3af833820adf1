import { describe, expect, test } from 'vitest';
import { termLookup, translator } from './server-text';
import { catalog } from './server-text.vi';
import { vi } from './vi';

const translate = translator(catalog, termLookup(vi));

describe('translates', () => {
  test.each([
    ['there is no such game', 'không có ván cờ này'],
    ['rank 3 has 9 files instead of 8', 'hàng 3 có 9 cột thay vì 8'],
    // Nested messages, and terms in them.
    [
      'move 2: Ke5: no king of yours can legally go to e5',
      'nước thứ 2: Ke5: không Vua nào của bạn đi được đến e5',
    ],
    ['White has no king; Black has no king', 'Trắng không có vua; Đen không có vua'],
    ['line 3: the position: two units stand on f6', 'dòng 3: thế cờ: có hai quân ở f6'],
    ['own heroic Air Force', 'Không quân anh hùng ta'],
    // Quoted user input stays untranslated.
    ['`end` is not a unit on a tile, as in `f6=3/2`', '`end` không phải quân trên ô, như `f6=3/2`'],
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
  const found = [
    ...code.matchAll(new RegExp(`#\\[error\\(\\s*${literal}`, 'g')),
    ...code.matchAll(new RegExp(`Refusal::(?:new|conflict)\\(\\s*(?:Code::\\w+,\\s*)?${literal}`, 'g')),
    ...code.matchAll(new RegExp(`write!\\(\\s*f,\\s*${literal}`, 'g')),
  ];
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
