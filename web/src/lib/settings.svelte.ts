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

function initial(): Settings {
  const defaults: Settings = {
    language: navigator.language.startsWith('vi') ? 'vi' : 'en',
    theme: 'auto',
    sound: true,
    animation: true,
  };
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return { ...defaults, ...(kept as Partial<Settings>) };
  } catch {
    return defaults;
  }
}

export const settings: Settings = $state(initial());

/** Keeps the settings and applies them to the page. Called once, inside an effect root. */
export function applySettings(): void {
  $effect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const paint = () => {
      const theme = settings.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : settings.theme;
      document.documentElement.dataset.theme = theme;
    };
    paint();
    dark.addEventListener('change', paint);
    return () => dark.removeEventListener('change', paint);
  });
  $effect(() => {
    document.documentElement.lang = settings.language;
    localStorage.setItem(KEY, JSON.stringify(settings));
  });
}

/** May things on the board be seen to move? The system's wish counts before ours. */
export function moving(): boolean {
  return settings.animation && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
