import { beforeEach, expect, test, vi } from 'vitest';
import { BoardKeyboard } from './board-keyboard.svelte';

const log: string[] = [];
let submit: (() => void) | null;
let describe: ((cell: string) => void) | null;
let keyboard: BoardKeyboard;
beforeEach(() => {
  log.length = 0;
  submit = null;
  describe = (cell) => log.push(`describe ${cell}`);
  keyboard = new BoardKeyboard({
    neighbor: (cell, direction) => `${cell} ${direction}`,
    focus: (cell) => log.push(`focus ${cell}`),
    select: (cell) => log.push(`select ${cell}`),
    submit: () => submit,
    cancel: () => log.push('cancel'),
    describe: () => describe,
    hasSteps: () => true,
    isShortcut: () => true,
  });
});

/** Presses a key on e4 and returns whether the board has handled it. */
function press(key: string, modifiers: Partial<KeyboardEvent> = {}): boolean {
  const preventDefault = vi.fn();
  const event = { key, preventDefault, stopPropagation: () => undefined, ...modifiers };
  keyboard.handleKey(event as unknown as KeyboardEvent, 'e4');
  return preventDefault.mock.calls.length > 0;
}

test('keys move the focus, select, cancel and describe', () => {
  for (const key of ['ArrowUp', 'ArrowLeft', 'Enter', ' ', 'Escape', 'i', 'ContextMenu'])
    expect(press(key)).toBe(true);
  expect(log).toEqual([
    ...['focus e4 up', 'focus e4 left', 'select e4', 'select e4', 'cancel'],
    ...['describe e4', 'describe e4'],
  ]);
});

test('Space submits a move, and Enter still selects', () => {
  submit = () => log.push('submit');
  press(' ');
  press('Enter');
  expect(log).toEqual(['submit', 'select e4']);
});

test('after a click, left and right step through the game until another arrow key is pressed', () => {
  keyboard.handleFocus('e4', true);
  expect(press('ArrowLeft')).toBe(false);
  expect(press('ArrowUp')).toBe(true);
  expect(press('ArrowLeft')).toBe(true);
  expect(log).toEqual(['focus e4 up', 'focus e4 left']);
});

test('other keys and keys with a modifier are left to the page', () => {
  expect([press('Enter', { ctrlKey: true }), press('x'), press('Tab')]).toEqual([false, false, false]);
  describe = null;
  expect(press('i')).toBe(false);
  expect(log).toEqual([]);
});
