// The public types of `sandtable/board`, copied into the package.

import type { Outcome, Player, View } from '../lib/types';

/** An arrow between two cells. */
export interface Arrow {
  from: string;
  to: string;
  /** A CSS colour. */
  color?: string | undefined;
}

/** A ring around a cell. */
export interface Mark {
  cell: string;
  /** A CSS colour. */
  color?: string | undefined;
}

/** The move that the user is about to play. */
export interface MoveDetail {
  /** The move as text, as `play` accepts it. */
  text: string;
  /** The move as a person would write it. */
  san: string;
  /** The policy index. */
  index: number;
  /** Who plays the move. */
  player: Player;
  /** The position after the move. */
  position: string;
  /** Who is to move after it; the same player during a deployment. */
  turn: Player;
  /** The outcome after the move. */
  outcome: Outcome;
}

export interface SelectDetail {
  /** The cell that the user picked. */
  cell: string;
  /** The cells that are selected now. */
  cells: string[];
}

export interface UpdateDetail {
  /** The position on the board, with its legal moves. */
  view: View;
}

export interface ErrorDetail {
  message: string;
  /** The error itself. An error of the core has a `body` with a `code`. */
  error: unknown;
}

export interface SandtableBoardEventMap {
  /** The user plays a move. Cancel the event to reject the move. */
  move: CustomEvent<MoveDetail>;
  /** The user picks a cell. */
  select: CustomEvent<SelectDetail>;
  /** The board shows another position, for whatever reason. */
  update: CustomEvent<UpdateDetail>;
  /** An attribute is wrong, or the core cannot be loaded. Does not bubble. */
  error: CustomEvent<ErrorDetail>;
}

/** The custom element `<sandtable-board>`. Importing the module defines it. */
export class SandtableBoard extends HTMLElement {
  /** The name of a game: `chess`, `cotulenh` or `tribun`. */
  game: string | null;
  /** A rule set of the game; its default if absent. */
  rules: string | null;
  /** The position that the moves start from; the start position of the game if absent. `view.position` is the current one. */
  position: string | null;
  /** The moves to play from `position`. Moves played on the board are in `view.moves_played`. */
  moves: string[];
  /** The player at the bottom: `first`, `second` or a colour such as `red`. */
  orientation: string | null;
  /** Who may move on the board: nobody if null, everybody if empty or `both`, or one player as in `orientation`. */
  interactive: string | boolean | null;
  /** `outside` (default, also `on`), `inside` or `off`. */
  coordinates: string | null;
  /** `on` (default) or `off`. */
  animation: string | null;
  /** `auto` (default), `light` or `dark`. */
  theme: string | null;
  /** The colours of the ground: `classic` (default), `slate` or `meadow`. */
  board: string | null;
  /** How figures are drawn: `flat` (default), `relief` or `contrast`. */
  pieces: string | null;
  /** The position on the board with its legal moves; null until it is loaded. */
  readonly view: View | null;

  /** Plays a move, in any notation that the game accepts. Rejects if the move is illegal. Dispatches no `move` event. */
  play(text: string): Promise<View>;
  /** Takes back the last move. At the start it does nothing. */
  undo(): Promise<View>;
  /** Shows `position` and `moves` again. */
  reset(): Promise<void>;
  /** Replaces the arrows. */
  setArrows(arrows: Iterable<Arrow>): void;
  /** Replaces the marks. */
  setMarks(marks: Iterable<Mark>): void;
  /** Removes the arrows and marks, and deselects. */
  clear(): void;

  addEventListener<K extends keyof SandtableBoardEventMap>(
    type: K,
    listener: (this: SandtableBoard, event: SandtableBoardEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof SandtableBoardEventMap>(
    type: K,
    listener: (this: SandtableBoard, event: SandtableBoardEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'sandtable-board': SandtableBoard;
  }
}
