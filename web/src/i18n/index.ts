// Interface text in the player's language.

import { settings } from '../lib/settings.svelte';
import { en, type Messages } from './en';
import { termLookup, translator } from './server-text';
import { catalog } from './server-text.vi';
import { vi } from './vi';

export type Language = 'en' | 'vi';
export type Key = keyof Messages;

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

/** Replaces the `{name}` placeholders of a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** The interface text of a key. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return fill(languages[settings.language].messages[key], values);
}

/** The display name of a word of the API, such as a piece or a reason; an unknown word is returned as it is. */
export function term(word: string): string {
  const messages: Partial<Record<string, string>> = languages[settings.language].messages;
  return messages[`term.${word}`] ?? word;
}

/** Translates text from the server, such as an error message; untranslated text stays English. */
export function serverText(text: string): string {
  return languages[settings.language].translate(text);
}

/** Formats a number with the separators of the language. */
export function formatNumber(value: number): string {
  return value.toLocaleString(settings.language);
}
