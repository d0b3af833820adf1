// Interface text in the player's language.

import { settings } from '../lib/settings.svelte';
import { en, type Messages } from './en';
import { termLookup, translator } from './server-text';
import { catalog } from './server-text.vi';
import { textsOf } from './texts';
import { vi } from './vi';

export { fill, type Key } from './texts';
export type Language = 'en' | 'vi';

interface Locale {
  name: string;
  messages: Messages;
  /** Translates English text from the server. */
  translate: (text: string) => string;
}

export const languages: Record<Language, Locale> = {
  en: { name: 'English', messages: en, translate: (text) => text },
  vi: { name: 'Tiếng Việt', messages: vi, translate: translator(catalog, termLookup(vi)) },
};

export const { t, term } = textsOf(() => languages[settings.language].messages);

/** Translates text from the server, such as an error message; untranslated text stays English. */
export function serverText(text: string): string {
  return languages[settings.language].translate(text);
}

/** Formats a number with the separators of the language. */
export function formatNumber(value: number): string {
  return value.toLocaleString(settings.language);
}
