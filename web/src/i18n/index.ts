// The page's words in the language that the player chose.

import { settings } from '../lib/settings.svelte';
import { en, type Messages } from './en';
import { translator, wordsOf } from './sentences';
import { sentences } from './sentences.vi';
import { vi } from './vi';

export type Language = 'en' | 'vi';
export type Key = keyof Messages;

interface Tongue {
  name: string;
  messages: Messages;
  /** What the server says in English, in this language. */
  sentence: (text: string) => string;
}

export const languages: Record<Language, Tongue> = {
  en: { name: 'English', messages: en, sentence: (text) => text },
  vi: { name: 'Tiếng Việt', messages: vi, sentence: translator(sentences, wordsOf(vi)) },
};

/** A text with `{names}` replaced. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function t(key: Key, values: Record<string, string | number> = {}): string {
  return fill(languages[settings.language].messages[key], values);
}

/** A word of the server's, as people read it. One that the page has never heard is shown as it is. */
export function term(word: string): string {
  const messages: Partial<Record<string, string>> = languages[settings.language].messages;
  return messages[`term.${word}`] ?? word;
}

/** A sentence of the server's, in the player's language as far as that is known. */
export function sentence(text: string): string {
  return languages[settings.language].sentence(text);
}

/** A number with the language's separators. */
export function number(value: number): string {
  return value.toLocaleString(settings.language);
}
