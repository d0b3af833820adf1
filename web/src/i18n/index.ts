// Interface text in the player's language.

import { settings } from '../lib/settings.svelte';
import type { Detail } from '../lib/types';
import { en, type Messages } from './en';
import { planes } from './planes.vi';
import { translator, type Catalog, type PlaneText } from './server-text';
import { messages } from './server-text.vi';
import { textsOf } from './texts';
import { vi } from './vi';

export { fill, type Key } from './texts';
export type Language = 'en' | 'vi';

interface Locale {
  name: string;
  messages: Messages;
  /** Translates a message of the server; undefined where its English text is to be shown. */
  translate: (detail: Detail) => string | undefined;
  planes: Catalog['planes'];
}

export const languages: Record<Language, Locale> = {
  en: { name: 'English', messages: en, translate: () => undefined, planes: {} },
  vi: {
    name: 'Tiếng Việt',
    messages: vi,
    translate: translator('vi', messages, textsOf(() => vi).term),
    planes,
  },
};

export const { t, term } = textsOf(() => languages[settings.language].messages);

/** A message of the server, such as an error, in the player's language; without a translation it stays English. */
export function serverText(detail: Detail | undefined, english: string): string {
  return (detail && languages[settings.language].translate(detail)) ?? english;
}

/** The values that a field of the editor accepts. */
export function fieldText(kind: string, field: { name: string; description: string }): string {
  return serverText({ code: `field.${kind}.${field.name}`, params: {} }, field.description);
}

/** The name and the description of a plane. */
export function planeText(encoding: string, plane: PlaneText): PlaneText {
  return languages[settings.language].planes[encoding]?.[plane.name] ?? plane;
}

/** Formats a number with the separators of the language. */
export function formatNumber(value: number): string {
  return value.toLocaleString(settings.language);
}
