import { expect, test } from 'vitest';
import { en } from './en';
import { vi } from './vi';

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
const keys = Object.keys(en) as (keyof typeof en)[];

test('both languages have the same keys', () => {
  expect(Object.keys(vi).sort()).toEqual([...keys].sort());
});

test('every text is non-empty and has the same placeholders in both languages', () => {
  for (const key of keys) {
    expect(en[key].trim(), key).not.toBe('');
    expect(vi[key].trim(), key).not.toBe('');
    expect(placeholders(vi[key]), key).toEqual(placeholders(en[key]));
  }
});

test('only names are the same in both languages', () => {
  const same = keys.filter((key) => en[key] === vi[key]);
  expect(same).toEqual([
    'app.title',
    'move.played',
    'choice.attack',
    'inspector.raw.base64',
    'term.cotulenh',
    'term.tribun',
  ]);
});

const sources = import.meta.glob<string>(['../**/*.svelte', '../lib/**/*.ts', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Keys that are composed at run time: prefix and possible endings. */
const COMPOSED: Record<string, string[]> = {
  'advice.': ['hint', 'threats'],
  'board.target.': ['move', 'capture', 'split', 'combine', 'source'],
  'end.': ['won', 'lost', 'drawn'],
  'games.state.': ['all', 'running', 'won', 'lost', 'drawn', 'finished'],
  'home.about.': ['chess', 'cotulenh', 'tribun'],
  'inspector.index.': ['chess', 'cotulenh', 'tribun'],
  'level.': Array.from({ length: 10 }, (_, level) => String(level)),
  'puzzle.': ['correct', 'wrong', 'solved', 'shown'],
  'puzzle.theme.': [
    ...['mate', 'material', 'capture', 'quiet', 'check', 'sacrifice', 'fork', 'promotion', 'heroic'],
    ...['air-raid', 'naval', 'deployment', 'enslave', 'liberation', 'damage', 'combine', 'split', 'backstab'],
  ],
  'review.judgement.': ['inaccuracy', 'mistake', 'blunder'],
  'settings.board.': ['classic', 'slate', 'meadow'],
  'settings.coordinates.': ['inside', 'outside', 'off'],
  'settings.pieces.': ['flat', 'relief', 'contrast'],
  'settings.theme.': ['auto', 'light', 'dark'],
  'storage.': ['unavailable', 'quota', 'blocked', 'outdated', 'failed'],
};

test('every key is used', () => {
  const text = Object.values(sources).join('\n');
  const prefixes = [...text.matchAll(/\b(?:t|findText)\(`([\w.]+)\$\{/g)].map(([, prefix]) => prefix);
  expect([...new Set(prefixes)].sort()).toEqual(Object.keys(COMPOSED));
  const composed = Object.entries(COMPOSED).flatMap(([prefix, ends]) => ends.map((end) => prefix + end));
  // The server decides which terms are used.
  const unused = keys.filter(
    (key) => !key.startsWith('term.') && !text.includes(`'${key}'`) && !composed.includes(key),
  );
  expect(unused).toEqual([]);
  expect(composed.filter((key) => !(key in en))).toEqual([]);
});
