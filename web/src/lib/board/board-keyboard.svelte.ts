// What the keyboard does on a board: it moves the focus between cells, selects them and has figures described.

import type { Direction } from './geometry';

/** What the keyboard needs from its board. */
export interface BoardKeys {
  /** The cell beside another one. */
  neighbor: (cell: string, direction: Direction) => string;
  /** Moves the focus to a cell. */
  focus: (cell: string) => void;
  select: (cell: string) => void;
  /** Submits the selected move; null if there is nothing to submit. */
  submit: () => (() => void) | null;
  cancel: () => void;
  /** Describes the figure on a cell; null if the board describes nothing. */
  describe: () => ((cell: string) => void) | null;
  /** Returns whether arrow keys step through a game beside the board. */
  hasSteps: () => boolean;
  /** Returns whether a key without a modifier may be a shortcut. */
  isShortcut: (event: KeyboardEvent) => boolean;
}

const DIRECTIONS: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

export class BoardKeyboard {
  /** The cell that had the focus last; empty if there is none. */
  focused = $state('');
  /** Whether the pointer moved the focus to the board: left and right then step through the game, as elsewhere. */
  private byPointer = false;

  constructor(private readonly keys: BoardKeys) {}

  handleFocus(cell: string, byPointer: boolean): void {
    this.focused = cell;
    this.byPointer = byPointer;
  }

  handleKey(event: KeyboardEvent, cell: string): void {
    const { keys } = this;
    const direction = DIRECTIONS[event.key];
    if (this.byPointer && keys.hasSteps() && (direction === 'left' || direction === 'right')) return;
    if (direction) this.byPointer = false;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const submit = keys.submit();
    const describe = keys.describe();
    if (direction) {
      keys.focus(keys.neighbor(cell, direction));
    } else if (event.key === 'Enter' || (event.key === ' ' && !submit)) {
      keys.select(cell);
    } else if (event.key === ' ') {
      submit?.();
    } else if (event.key === 'Escape') {
      keys.cancel();
    } else if (describe && this.isDescribeKey(event)) {
      describe(cell);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Returns whether a key describes the focused cell. The menu key is no character, which can be turned off. */
  private isDescribeKey(event: KeyboardEvent): boolean {
    return event.key === 'ContextMenu' || (/^i$/i.test(event.key) && this.keys.isShortcut(event));
  }
}
