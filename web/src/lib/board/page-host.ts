// What boards on the page use: its language and settings, and keys pressed anywhere.

import { t, term } from '../../i18n';
import type { BoardHost } from './board-host';
import { isShortcut } from '../platform/shortcuts';
import { animationsEnabled, settings } from '../platform/settings.svelte';

export const pageHost: BoardHost = {
  t,
  term,
  animationsEnabled,
  isShortcut,
  keyTarget: window,
  coordinates: () => settings.coordinates,
  pieceTheme: () => settings.pieces,
  cardsEnabled: () => settings.cards,
  reserveBottom: (pixels) => document.documentElement.style.setProperty('--covered', `${pixels}px`),
};
