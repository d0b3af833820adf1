// Puzzles: reading their files, choosing one, and the solver's progress. docs/puzzles.md describes the files.

import { filesByGame } from './files-by-game';
import { parseStored, storedText, storeJson } from '../platform/storage';
import { DAY } from '../platform/time-limits';

export interface Puzzle {
  id: string;
  position: string;
  /** A turn of the solver, the reply, a turn of the solver, …; the moves of a turn are separated by spaces. */
  turns: string[];
  /** The number of turns to the forced win, if there is one. */
  mate?: number;
  /** The nodes that the engine needs to find the first turn. */
  nodes: number;
  themes: string[];
}

/** The puzzles of a game. */
export interface Collection {
  kind: string;
  rules: string;
  puzzles: Puzzle[];
}

const files = import.meta.glob<{ default: string }>('#puzzles/*.jsonl', { query: '?raw' });

/** The files by game, loaded on demand. */
export const puzzleFiles = filesByGame(files);

/** Reads a file of puzzles: a line of settings and a line for each puzzle. */
export function readPuzzles(text: string): Collection {
  const [header, ...lines] = text.trim().split('\n');
  const { game, rules } = JSON.parse(header ?? '') as { game: string; rules: string };
  return { kind: game, rules, puzzles: lines.map((line) => JSON.parse(line) as Puzzle) };
}

/** The greatest number of nodes of each difficulty but the last; the same as in `crates/engine/src/puzzle`. */
const DIFFICULTY_NODES = [150, 300, 600, 1_200];

export const DIFFICULTIES = [1, 2, 3, 4, 5];

export function difficulty({ mate, nodes }: Puzzle): number {
  return mate === 1 ? 1 : DIFFICULTY_NODES.filter((limit) => nodes > limit).length + 1;
}

/** The puzzles to choose from. `null` is any theme or difficulty. */
export interface Filter {
  theme: string | null;
  difficulty: number | null;
}

export function matching(puzzles: Puzzle[], filter: Filter): Puzzle[] {
  return puzzles.filter(
    (puzzle) =>
      (filter.theme === null || puzzle.themes.includes(filter.theme)) &&
      (filter.difficulty === null || difficulty(puzzle) === filter.difficulty),
  );
}

/** The next puzzle of a list after the one with this id: one that is not solved yet if there is any. */
export function nextPuzzle(puzzles: Puzzle[], after: string | null, solved: string[]): Puzzle | null {
  const start = puzzles.findIndex(({ id }) => id === after) + 1;
  const others = [...puzzles.slice(start), ...puzzles.slice(0, start)];
  return others.find(({ id }) => !solved.includes(id)) ?? others[0] ?? null;
}

/** The date as `2026-11-17`, in the time zone of the browser. */
export function dayOf(date: Date): string {
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`;
}

/** The puzzle of a day: the same in every browser, and all of them in turn before one comes again. */
export function dailyPuzzle(puzzles: Puzzle[], day: string): Puzzle | null {
  const number = Date.parse(day) / DAY;
  // The files are ordered by the game in which the puzzles were found, which says nothing about them.
  return puzzles[number % puzzles.length] ?? null;
}

/** What the browser stores about the solver. */
export interface Progress {
  /** The number of puzzles solved in a row without a mistake or a hint. */
  streak: number;
  best: number;
  /** The ids of the solved puzzles. */
  solved: string[];
  /** The number of days in a row on which the daily puzzle was solved, and the last of them, for each game. */
  daily: Record<string, { day: string; streak: number }>;
}

const KEY = 'sandtable-puzzles';
const NONE: Progress = { streak: 0, best: 0, solved: [], daily: {} };

/** The stored progress. Another version of the page may have written it: an invalid value becomes the default. */
export function readProgress(stored = storedText(KEY)): Progress {
  const progress: Partial<Record<keyof Progress, unknown>> = parseStored(stored);
  const count = (value: unknown) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0;
  const solved: unknown[] = Array.isArray(progress.solved) ? progress.solved : NONE.solved;
  const days = Object.entries(Object(progress.daily) as Record<string, unknown>).flatMap(([kind, value]) => {
    const { day, streak } = Object(value) as { day?: unknown; streak?: unknown };
    return typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day)
      ? [[kind, { day, streak: count(streak) }] as const]
      : [];
  });
  return {
    streak: count(progress.streak),
    best: Math.max(count(progress.best), count(progress.streak)),
    solved: solved.filter((id) => typeof id === 'string'),
    daily: Object.fromEntries(days),
  };
}

export function storeProgress(progress: Progress): void {
  storeJson(KEY, progress);
}

/** The progress after a puzzle. A puzzle with a mistake or a hint ends the streak, and so does one that was given up. */
export function withResult(progress: Progress, id: string, unaided: boolean): Progress {
  const streak = unaided ? progress.streak + 1 : 0;
  const solved = unaided && !progress.solved.includes(id) ? [...progress.solved, id] : progress.solved;
  return { ...progress, streak, best: Math.max(progress.best, streak), solved };
}

/** The progress after the daily puzzle of a game was solved. */
export function withDaily(progress: Progress, kind: string, day: string): Progress {
  const last = progress.daily[kind];
  if (last?.day === day) return progress;
  const yesterday = new Date(Date.parse(day) - DAY).toISOString().slice(0, 10);
  const streak = last?.day === yesterday ? last.streak + 1 : 1;
  return { ...progress, daily: { ...progress.daily, [kind]: { day, streak } } };
}
