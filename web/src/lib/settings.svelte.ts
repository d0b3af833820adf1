// What a player prefers, kept by the browser.

import type { Language } from '../i18n';

export type Theme = 'auto' | 'light' | 'dark';

interface Settings {
  language: Language;
  theme: Theme;
  sound: boolean;
  animation: boolean;
}

const KEY = 'sandtable';
const LANGUAGES: Language[] = ['en', 'vi'];
export const THEMES: Theme[] = ['auto', 'light', 'dark'];

function initial(): Settings {
  const kept = read();
  return {
    language: LANGUAGES.find((language) => language === kept.language) ?? preferred(),
    theme: THEMES.find((theme) => theme === kept.theme) ?? 'auto',
    sound: kept.sound !== false,
    animation: kept.animation !== false,
  };
}

/** What was kept, by whatever version of the page: nothing of it is certain. */
function read(): Partial<Record<keyof Settings, unknown>> {
  try {
    return Object(JSON.parse(localStorage.getItem(KEY) ?? '{}')) as Partial<Record<keyof Settings, unknown>>;
  } catch {
    return {};
  }
}

function preferred(): Language {
  return navigator.language.startsWith('vi') ? 'vi' : 'en';
}

export const settings: Settings = $state(initial());

/** The colours that are on the page. They change after the page has them, so what is painted by hand can follow. */
export const painted: { theme: 'light' | 'dark' } = $state({ theme: 'light' });

/** Keeps the settings and applies them to the page. Called once, inside an effect root. */
export function applySettings(): void {
  $effect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const paint = () => {
      const theme = settings.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : settings.theme;
      document.documentElement.dataset.theme = theme;
      painted.theme = theme;
    };
    paint();
    dark.addEventListener('change', paint);
    return () => dark.removeEventListener('change', paint);
  });
  $effect(() => {
    document.documentElement.lang = settings.language;
    const text = JSON.stringify(settings);
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // A browser that keeps nothing still shows the page.
    }
  });
}

/** May things on the board be seen to move? The system's wish counts before ours. */
export function moving(): boolean {
  return settings.animation && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
