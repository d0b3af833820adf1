// The player's last choices for a new game, stored in the browser.

import { parseStored, storedText, storeJson } from '../platform/storage';
import type { ClockSettings, Player } from '../types';
import { LONGEST_CLOCK, LONGEST_GAME, SHORTEST_CLOCK } from '../platform/time-limits';

export type Opponent = 'engine' | 'friend' | 'lobby' | 'human';

export interface Choice {
  kind: string;
  rules: string;
  opponent: Opponent;
  level: number;
  side: Player | 'random';
  clock: ClockSettings | null;
}

const KEY = 'sandtable-new-game';
const OPPONENTS: Opponent[] = ['engine', 'friend', 'lobby', 'human'];
const SIDES: Choice['side'][] = ['first', 'second', 'random'];

/** The stored choice. Another version of the page may have written it: an invalid value becomes the default. */
export function readChoice(stored = storedText(KEY)): Choice {
  const choice: Partial<Record<keyof Choice, unknown>> = parseStored(stored);
  return {
    kind: typeof choice.kind === 'string' ? choice.kind : '',
    rules: typeof choice.rules === 'string' ? choice.rules : '',
    opponent: OPPONENTS.find((opponent) => opponent === choice.opponent) ?? 'engine',
    level: isWithin(choice.level, 0, 9) && Number.isInteger(choice.level) ? choice.level : 3,
    side: SIDES.find((side) => side === choice.side) ?? 'first',
    clock: readClock(choice.clock),
  };
}

export function storeChoice(choice: Choice): void {
  storeJson(KEY, choice);
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max;
}

function readClock(value: unknown): ClockSettings | null {
  const { initial, increment, delay, max_game } = Object(value) as Partial<
    Record<keyof ClockSettings, unknown>
  >;
  if (!isWithin(initial, SHORTEST_CLOCK, LONGEST_CLOCK)) return null;
  return {
    initial,
    ...(isWithin(increment, 0, LONGEST_CLOCK) ? { increment } : {}),
    ...(isWithin(delay, 0, LONGEST_CLOCK) ? { delay } : {}),
    ...(isWithin(max_game, SHORTEST_CLOCK, LONGEST_GAME) ? { max_game } : {}),
  };
}
