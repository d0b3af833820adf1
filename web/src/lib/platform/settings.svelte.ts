// The player's settings, stored in the browser.

import type { Language } from '../../i18n';
import {
  BOARD_THEMES,
  COORDINATES,
  PIECE_THEMES,
  type BoardTheme,
  type Coordinates,
  type PieceTheme,
} from '../board/board-themes';

export type Theme = 'auto' | 'light' | 'dark';

interface Settings {
  language: Language;
  theme: Theme;
  board: BoardTheme;
  pieces: PieceTheme;
  coordinates: Coordinates;
  sound: boolean;
  animation: boolean;
  /** The player's name, for games against other people. */
  name: string;
  /** Whether the player wants to be notified of their turn. */
  notifications: boolean;
  /** Whether keys of one character are shortcuts. */
  shortcuts: boolean;
  /** Whether the board turns to the side to move when two people play at this screen. */
  autoFlip: boolean;
  /** Whether a figure under the mouse is described. */
  cards: boolean;
  /** Whether the chat is open. */
  chat: boolean;
}

/** The longest name of a player. */
export const MAX_NAME = 40;

const KEY = 'sandtable';
const LANGUAGES: Language[] = ['en', 'vi'];
export const THEMES: Theme[] = ['auto', 'light', 'dark'];

function initial(): Settings {
  const stored = read();
  return {
    language: LANGUAGES.find((language) => language === stored.language) ?? browserLanguage(),
    theme: THEMES.find((theme) => theme === stored.theme) ?? 'auto',
    board: BOARD_THEMES.find((theme) => theme === stored.board) ?? 'classic',
    pieces: PIECE_THEMES.find((theme) => theme === stored.pieces) ?? 'flat',
    coordinates: COORDINATES.find((place) => place === stored.coordinates) ?? 'inside',
    sound: stored.sound !== false,
    animation: stored.animation !== false,
    name: typeof stored.name === 'string' ? stored.name.slice(0, MAX_NAME) : '',
    notifications: stored.notifications === true,
    shortcuts: stored.shortcuts !== false,
    autoFlip: stored.autoFlip === true,
    cards: stored.cards !== false,
    chat: stored.chat !== false,
  };
}

/** The stored settings, unvalidated: another version of the page may have written them. */
function read(): Partial<Record<keyof Settings, unknown>> {
  try {
    return Object(JSON.parse(localStorage.getItem(KEY) ?? '{}')) as Partial<Record<keyof Settings, unknown>>;
  } catch {
    return {};
  }
}

function browserLanguage(): Language {
  return navigator.language.startsWith('vi') ? 'vi' : 'en';
}

export const settings: Settings = $state(initial());

/** The theme in effect. It changes after the page's CSS variables, so canvases that depend on it repaint correctly. */
export const activeTheme: { name: 'light' | 'dark' } = $state({ name: 'light' });

/** Applies the settings to the page and stores them when they change. Called once, inside an effect root. */
export function applySettings(): void {
  $effect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      const theme = settings.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : settings.theme;
      document.documentElement.dataset.theme = theme;
      activeTheme.name = theme;
    };
    apply();
    dark.addEventListener('change', apply);
    return () => dark.removeEventListener('change', apply);
  });
  $effect(() => {
    document.documentElement.dataset.board = settings.board;
  });
  $effect(() => {
    document.documentElement.lang = settings.language;
    const text = JSON.stringify(settings);
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // Storage may be blocked; the settings then last until the page is closed.
    }
  });
}

/** Returns whether moves are animated. The system's reduced-motion setting takes precedence. */
export function animationsEnabled(): boolean {
  return settings.animation && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
