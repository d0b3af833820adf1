import { expect, test } from 'vitest';
import {
  dailyPuzzle,
  dayOf,
  difficulty,
  matching,
  nextPuzzle,
  puzzleFiles,
  readProgress,
  readPuzzles,
  withDaily,
  withResult,
  type Puzzle,
} from './puzzles';
import { en } from '../../i18n/en';

const puzzle = (id: string, nodes: number, ...themes: string[]): Puzzle => ({
  id,
  position: '',
  turns: ['e2e4'],
  nodes,
  themes,
});
const puzzles = [puzzle('a', 100, 'mate'), puzzle('b', 400, 'mate', 'fork'), puzzle('c', 50_000, 'fork')];
const ids = (chosen: Puzzle[]) => chosen.map(({ id }) => id);

test('the files have puzzles with themes that have names', async () => {
  for (const [kind, load] of Object.entries(puzzleFiles)) {
    const collection = readPuzzles((await load()).default);
    expect(collection.kind).toBe(kind);
    expect(collection.puzzles.length).toBeGreaterThanOrEqual(100);
    for (const theme of collection.puzzles.flatMap(({ themes }) => themes))
      expect(en).toHaveProperty([`puzzle.theme.${theme}`]);
  }
});

test('puzzles are chosen by theme and difficulty', () => {
  expect(puzzles.map(difficulty)).toEqual([1, 3, 5]);
  expect(difficulty({ ...puzzle('d', 9_000), mate: 1 })).toBe(1);
  expect(ids(matching(puzzles, { theme: null, difficulty: null }))).toEqual(['a', 'b', 'c']);
  expect(ids(matching(puzzles, { theme: 'fork', difficulty: null }))).toEqual(['b', 'c']);
  expect(ids(matching(puzzles, { theme: 'fork', difficulty: 5 }))).toEqual(['c']);
  expect(matching(puzzles, { theme: 'quiet', difficulty: null })).toEqual([]);
});

test('the next puzzle is one that is not solved, in turn', () => {
  expect(nextPuzzle(puzzles, null, [])?.id).toBe('a');
  expect(nextPuzzle(puzzles, 'a', ['b'])?.id).toBe('c');
  expect(nextPuzzle(puzzles, 'c', [])?.id).toBe('a');
  expect(nextPuzzle(puzzles, 'a', ['a', 'b', 'c'])?.id).toBe('b');
  expect(nextPuzzle([], null, [])).toBe(null);
});

test('the daily puzzle changes every day and repeats only after all others', () => {
  const days = ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02'];
  const daily = days.map((day) => dailyPuzzle(puzzles, day)?.id);
  expect(new Set(daily.slice(0, 3)).size).toBe(3);
  expect(daily[3]).toBe(daily[0]);
  expect(dailyPuzzle([], '2027-01-01')).toBe(null);
  expect(dayOf(new Date(2027, 0, 5, 23, 59))).toBe('2027-01-05');
});

test('a streak counts puzzles without a mistake', () => {
  let progress = readProgress('{}');
  progress = withResult(withResult(progress, 'a', true), 'b', true);
  expect(progress).toMatchObject({ streak: 2, best: 2, solved: ['a', 'b'] });
  progress = withResult(progress, 'c', false);
  expect(progress).toMatchObject({ streak: 0, best: 2, solved: ['a', 'b'] });
  expect(withResult(progress, 'a', true)).toMatchObject({ streak: 1, solved: ['a', 'b'] });
});

test('daily puzzles of consecutive days are a streak', () => {
  let progress = withDaily(readProgress('{}'), 'tribun', '2026-12-31');
  progress = withDaily(progress, 'tribun', '2026-12-31');
  expect(progress.daily.tribun?.streak).toBe(1);
  progress = withDaily(progress, 'tribun', '2027-01-01');
  expect(progress.daily.tribun?.streak).toBe(2);
  expect(withDaily(progress, 'tribun', '2027-01-03').daily.tribun?.streak).toBe(1);
  expect(withDaily(progress, 'cotulenh', '2027-01-02').daily.cotulenh?.streak).toBe(1);
});

test('stored progress that is not valid is ignored', () => {
  const none = { streak: 0, best: 0, solved: [], daily: {} };
  for (const stored of [null, '', 'x', '[]', '7', '{"streak":-1,"best":"x","solved":7,"daily":[1]}'])
    expect(readProgress(stored)).toEqual(none);
  const stored = {
    streak: 3,
    best: 1,
    solved: ['a', 7],
    daily: { tribun: { day: '2027-01-01', streak: 2 } },
  };
  expect(readProgress(JSON.stringify(stored))).toEqual({ ...stored, best: 3, solved: ['a'] });
});
