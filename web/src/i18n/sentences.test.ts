import { describe, expect, test } from 'vitest';
import { translator, wordsOf } from './sentences';
import { sentences } from './sentences.vi';
import { vi } from './vi';

const translate = translator(sentences, wordsOf(vi));

describe('a translation', () => {
  test.each([
    ['there is no such game', 'không có ván cờ này'],
    ['rank 3 has 9 files instead of 8', 'hàng 3 có 9 cột thay vì 8'],
    // Sentences within sentences, and words within them.
    [
      'move 2: Ke5: no king of yours can legally go to e5',
      'nước thứ 2: Ke5: không Vua nào của bạn đi được đến e5',
    ],
    ['White has no king; Black has no king', 'Trắng không có vua; Đen không có vua'],
    ['line 3: the position: two units stand on f6', 'dòng 3: thế cờ: có hai quân ở f6'],
    ['own heroic Air Force', 'Không quân anh hùng ta'],
    // What was typed stays as it was typed.
    ['`end` is not a unit on a tile, as in `f6=3/2`', '`end` không phải quân trên ô, như `f6=3/2`'],
    ['no such sentence', 'no such sentence'],
    ['constructor', 'constructor'],
  ])('%s', (english, vietnamese) => {
    expect(translate(english)).toBe(vietnamese);
  });
});

const holes = (text: string) => text.split('{}').length - 1;

test('every hole is filled, and nothing else', () => {
  for (const [english, vietnamese] of Object.entries(sentences)) {
    const numbers = [...vietnamese.matchAll(/\{(\d)\}/g)].map(([, number]) => Number(number)).sort();
    expect(numbers, english).toEqual(Array.from({ length: holes(english) }, (_, i) => i + 1));
  }
});

/** The sources in which errors are written that a page can meet. */
const sources = import.meta.glob<string>(
  [
    '../../../crates/{core,chess,cotulenh,tribun,sandtable,server}/src/**/*.rs',
    // Arrays, environments and levels are for programs; a server that cannot start has no page.
    '!../../../crates/core/src/planes.rs',
    '!../../../crates/sandtable/src/{npy,level,vector_env}.rs',
    '!../../../crates/server/src/{lib,store}.rs',
  ],
  { query: '?raw', import: 'default', eager: true },
);

/** The sentences of a source: its errors, and what the server refuses with. */
function said(source: string): string[] {
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

test('every error of the rules and the server is known', () => {
  // Those with less than two words of their own are notations, not sentences.
  const errors = Object.values(sources)
    .flatMap(said)
    .filter((text) => (text.replaceAll('{}', '').match(/[a-z]{2,}/g) ?? []).length > 1);
  expect(errors.length).toBeGreaterThan(150);
  expect(errors.filter((text) => !(text in sentences))).toEqual([]);
});
