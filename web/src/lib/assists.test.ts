import { beforeEach, expect, test, vi } from 'vitest';
import { noteAdvice, withAdviceTags } from './assists';

const players = { first: 'White', second: 'Black' };
const record = (text: string) => ({ record: text, extension: 'pgn' });

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  return () => void vi.unstubAllGlobals();
});

test('a record has the advice as tags', () => {
  noteAdvice('a', 'first', 'hint');
  noteAdvice('a', 'first', 'hint');
  noteAdvice('a', 'second', 'threats');
  noteAdvice('b', 'first', 'hint');
  expect(withAdviceTags('a', record('[Event "?"]\n[Result "*"]\n\n1. e4 *\n'), players).record).toBe(
    '[Event "?"]\n[Result "*"]\n[WhiteHints "2"]\n[BlackThreats "1"]\n\n1. e4 *\n',
  );
  expect(withAdviceTags('b', record('1. e4 *\n'), players).record).toBe('[WhiteHints "1"]\n\n1. e4 *\n');
});

test('a record without advice stays as it is', () => {
  noteAdvice('a', 'first', 'hint');
  const plain = record('[Event "?"]\n\n1. e4 *\n');
  expect(withAdviceTags('b', plain, players)).toBe(plain);
});

test('forgets the oldest games', () => {
  for (let i = 0; i < 250; i++) noteAdvice(String(i), 'first', 'hint');
  expect(withAdviceTags('0', record('*'), players).record).toBe('*');
  expect(withAdviceTags('249', record('*'), players).record).toContain('WhiteHints');
});

test.each(['{', '7', 'null'])('ignores what it cannot read: %s', (stored) => {
  localStorage.setItem('sandtable-advice', stored);
  expect(withAdviceTags('a', record('*'), players).record).toBe('*');
  noteAdvice('a', 'first', 'hint');
  expect(withAdviceTags('a', record('*'), players).record).toContain('WhiteHints "1"');
});
