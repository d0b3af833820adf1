import { expect, test } from 'vitest';
import { en } from './en';
import { vi } from './vi';

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
const keys = Object.keys(en) as (keyof typeof en)[];

test('both languages say the same things', () => {
  expect(Object.keys(vi).sort()).toEqual([...keys].sort());
});

test('everything is said, with the same things filled in', () => {
  for (const key of keys) {
    expect(en[key].trim(), key).not.toBe('');
    expect(vi[key].trim(), key).not.toBe('');
    expect(placeholders(vi[key]), key).toEqual(placeholders(en[key]));
  }
});

test('what is the same in both is a name', () => {
  const same = keys.filter((key) => en[key] === vi[key]);
  expect(same).toEqual([
    'app.title',
    'move.played',
    'choice.share',
    'inside.raw.base64',
    'term.cotulenh',
    'term.tribun',
  ]);
});

const sources = import.meta.glob<string>(['../**/*.svelte', '../lib/*.ts', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Keys that are put together where they are used, and what they are put together with. */
const COMPOSED: Record<string, string[]> = {
  'board.target.': ['move', 'take', 'join', 'act'],
  'choice.': ['kind', 'group', 'becomes'],
  'settings.theme.': ['auto', 'light', 'dark'],
};

test('everything that is said is used', () => {
  const text = Object.values(sources).join('\n');
  const prefixes = [...text.matchAll(/\bt\(`([\w.]+)\$\{/g)].map(([, prefix]) => prefix);
  expect([...new Set(prefixes)].sort()).toEqual(Object.keys(COMPOSED));
  const composed = Object.entries(COMPOSED).flatMap(([prefix, ends]) => ends.map((end) => prefix + end));
  // Words of the server come from the server.
  const unused = keys.filter(
    (key) => !key.startsWith('term.') && !text.includes(`'${key}'`) && !composed.includes(key),
  );
  expect(unused).toEqual([]);
  expect(composed.filter((key) => !(key in en))).toEqual([]);
});
