// What a board and its choices need from their surroundings: the page or the custom element.

import { createContext } from 'svelte';
import type { Texts } from '../../i18n/texts';
import type { Coordinates, PieceTheme } from './board-themes';

export interface BoardHost extends Texts {
  /** Returns whether moves are animated. */
  animationsEnabled: () => boolean;
  /** Returns whether a key without a modifier may be a shortcut. */
  isShortcut: (event: KeyboardEvent) => boolean;
  /** Where keys for the choices are listened for, beside the focused element itself. */
  keyTarget: EventTarget;
  coordinates: () => Coordinates;
  pieceTheme: () => PieceTheme;
  /** Returns whether a figure under the mouse is described. */
  cardsEnabled: () => boolean;
  /** Leaves room at the end of the page for a bar of this height that covers the bottom of the screen. */
  reserveBottom: (pixels: number) => void;
}

export const [getBoardHost, setBoardHost] = createContext<BoardHost>();
