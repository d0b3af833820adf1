// Looks up interface text in one language. Knows neither settings nor the browser, so the custom element uses it too.

import type { Messages } from './en';

export type Key = keyof Messages;

export interface Texts {
  /** The interface text of a key. */
  t: (key: Key, values?: Record<string, string | number>) => string;
  /** The display name of a word of the API, such as a piece or a reason; an unknown word is returned as it is. */
  term: (word: string) => string;
}

/** Replaces the `{name}` placeholders of a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** The interface text of a key that only some games have; undefined if there is none. */
export type FindText = (key: string) => string | undefined;

/** The texts of the messages that `messages` returns; it is called for every text, because the language may change. */
export function textsOf(messages: () => Messages): Texts & { findText: FindText } {
  const findText: FindText = (key) => (messages() as Partial<Record<string, string>>)[key];
  return {
    t: (key, values = {}) => fill(messages()[key], values),
    findText,
    term: (word) => findText(`term.${word}`) ?? word,
  };
}
