import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isSolved, markSolved, readProgress } from './lesson-progress.svelte';

let stored: string | null;
beforeEach(() => {
  stored = null;
  vi.stubGlobal('localStorage', {
    getItem: () => stored,
    setItem: (_: string, value: string) => void (stored = value),
  });
});
afterEach(() => void vi.unstubAllGlobals());

test('keeps the solved lessons of each game', () => {
  expect(isSolved('chess', 'check')).toBe(false);
  markSolved('chess', 'check');
  markSolved('chess', 'check');
  markSolved('tribun', 'one');
  expect(isSolved('chess', 'check')).toBe(true);
  expect(isSolved('tribun', 'check')).toBe(false);
  expect(readProgress()).toEqual({ chess: ['check'], tribun: ['one'] });
});

test.each([null, '', 'null', '7', '[]', '{"chess":7}'])('ignores invalid progress: %s', (text) => {
  expect(readProgress(text)).toEqual({});
});

test('ignores what is not an id', () => {
  expect(readProgress('{"chess":["check",7,null]}')).toEqual({ chess: ['check'] });
});

test('works without storage', () => {
  vi.stubGlobal('localStorage', undefined);
  markSolved('cotulenh', 'tank');
  expect(isSolved('cotulenh', 'tank')).toBe(true);
  expect(readProgress()).toEqual({});
});
