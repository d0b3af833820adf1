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

test('everything that is said is used', () => {
  const text = Object.values(sources).join('\n');
  const used = (key: string) =>
    text.includes(`'${key}'`) || text.includes(`\`${key.slice(0, key.lastIndexOf('.') + 1)}\${`);
  // Words of the server come from the server.
  const unused = keys.filter((key) => !key.startsWith('term.') && !used(key));
  expect(unused).toEqual([]);
});
