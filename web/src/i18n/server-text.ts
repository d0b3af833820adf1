// Translates the server's messages: a catalog maps their codes to sentences.

import type { Detail, DetailParam } from '../lib/types';
import { fill } from './texts';

/** The server's text in another language than English. */
export interface Catalog {
  /** Maps the codes of messages to sentences with the names of their parameters as placeholders. */
  messages: Readonly<Record<string, string>>;
  /** The names and descriptions of planes, by encoding and English name. */
  planes: Readonly<Record<string, Readonly<Record<string, PlaneText>>>>;
}

export interface PlaneText {
  name: string;
  description: string;
}

/** Returns a translation function for a catalog. It returns undefined for a message with an unknown code in it. */
export function translator(
  language: string,
  messages: Catalog['messages'],
  term: (word: string) => string,
): (detail: Detail) => string | undefined {
  const sentences = new Map(Object.entries(messages));
  const alternatives = new Intl.ListFormat(language, { type: 'disjunction' });

  function param(value: DetailParam): string | undefined {
    if (Array.isArray(value)) return list(value);
    if (typeof value !== 'object') return String(value);
    return 'term' in value ? term(value.term) : message(value);
  }
  function list(values: DetailParam[]): string | undefined {
    const texts = values.map(param).filter((text) => text !== undefined);
    if (texts.length < values.length) return undefined;
    const isMessage = (value: DetailParam) => typeof value === 'object' && 'code' in value;
    return values.some(isMessage) ? texts.join('; ') : alternatives.format(texts);
  }
  function message({ code, params }: Detail): string | undefined {
    const sentence = sentences.get(code);
    if (sentence === undefined) return undefined;
    const values: Record<string, string> = {};
    for (const [name, value] of Object.entries(params)) {
      const text = param(value);
      if (text === undefined) return undefined;
      values[name] = text;
    }
    return fill(sentence, values);
  }
  return message;
}
