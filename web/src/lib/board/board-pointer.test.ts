import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BoardPointer } from './board-pointer.svelte';
import type { Board } from '../types';

type Cell = Board['cells'][number];

const WAIT = 1_000;

/** A board of one row with cells 10 pixels wide; those whose name is a capital letter have a figure. */
function board(cardsEnabled = true) {
  const calls: string[] = [];
  const pointer = new BoardPointer({
    toBoard: (x, y) => ({ x, y }),
    cellAt: ({ x }) => {
      const name = 'Ab C'[Math.floor(x / 10)]?.trim();
      return name ? ({ name, figure: name === name.toUpperCase() ? {} : null } as Cell) : null;
    },
    isSelected: () => false,
    isTarget: () => false,
    canDrag: (cell) => cell === 'C',
    capture: () => undefined,
    focus: () => undefined,
    select: (cell) => calls.push(`select ${cell}`),
    drop: (from, to) => calls.push(`drop ${from} ${to}`),
    cardsEnabled: () => cardsEnabled,
    describe: (cell) => calls.push(`describe ${cell}`),
  });
  /** The calls since the last time, without repeated ends of descriptions. */
  const taken = () =>
    calls.splice(0).filter((call, i, all) => call !== 'describe null' || all[i - 1] !== call);
  return { pointer, taken };
}

const event = (clientX: number, pointerType = 'mouse') =>
  ({ clientX, clientY: 0, pointerType, pointerId: 1, isPrimary: true, button: 0 }) as PointerEvent;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a figure under a resting mouse is described until the mouse leaves its cell', () => {
  const { pointer, taken } = board();
  pointer.handleMove(event(3));
  vi.advanceTimersByTime(100);
  pointer.handleMove(event(5));
  expect(taken()).toEqual(['describe null']);
  vi.advanceTimersByTime(WAIT);
  expect(taken()).toEqual(['describe A']);
  pointer.handleMove(event(12));
  vi.advanceTimersByTime(WAIT);
  // There is no figure on this cell.
  expect(taken()).toEqual(['describe null']);
  pointer.handleMove(event(3));
  vi.advanceTimersByTime(WAIT);
  pointer.handleLeave(event(-5));
  expect(taken()).toEqual(['describe null', 'describe A', 'describe null']);
});

test('a mouse that passes over a figure or presses it describes nothing', () => {
  const { pointer, taken } = board();
  pointer.handleMove(event(3));
  pointer.handleMove(event(12));
  vi.advanceTimersByTime(WAIT);
  pointer.handleMove(event(3));
  pointer.handlePress(event(3));
  vi.advanceTimersByTime(WAIT);
  pointer.handleRelease(event(3));
  vi.advanceTimersByTime(WAIT);
  expect(taken()).toEqual(['describe null', 'select A']);
});

test('with cards off, a mouse describes nothing, but a long press does', () => {
  const { pointer, taken } = board(false);
  pointer.handleMove(event(3));
  vi.advanceTimersByTime(WAIT);
  expect(taken()).toEqual(['describe null']);
  pointer.handlePress(event(3, 'touch'));
  vi.advanceTimersByTime(WAIT);
  expect(taken()).toContain('describe A');
});

test('a long press describes the figure instead of selecting its cell', () => {
  const { pointer, taken } = board();
  pointer.handlePress(event(3, 'touch'));
  vi.advanceTimersByTime(WAIT);
  pointer.handleRelease(event(3, 'touch'));
  expect(taken()).toEqual(['describe null', 'describe A']);
  // A tap selects.
  pointer.handlePress(event(3, 'touch'));
  pointer.handleRelease(event(3, 'touch'));
  vi.advanceTimersByTime(WAIT);
  expect(taken()).toEqual(['describe null', 'select A']);
});

test('a drag ends the description of its figure', () => {
  const { pointer, taken } = board();
  pointer.handlePress(event(33, 'touch'));
  vi.advanceTimersByTime(WAIT);
  pointer.handleMove(event(13, 'touch'));
  pointer.handleRelease(event(13, 'touch'));
  vi.advanceTimersByTime(WAIT);
  expect(taken()).toEqual(['describe null', 'select C', 'describe C', 'describe null', 'drop C b']);
});
