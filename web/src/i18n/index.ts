// Interface text in the player's language.

import { settings } from '../lib/platform/settings.svelte';
import type { Detail } from '../lib/types';
import { locale, type Language } from './locale.svelte';
import type { PlaneText } from './server-text';
import { textsOf } from './texts';

export { loadTexts, type Language } from './locale.svelte';
export { fill, type Key } from './texts';

/** The name of each language in itself. */
export const languages: Record<Language, string> = { en: 'English', vi: 'Tiếng Việt' };

export const { t, findText, term } = textsOf(() => locale().messages);

/** A message of the server, such as an error, in the player's language; without a translation it stays English. */
export function serverText(detail: Detail | undefined, english: string): string {
  return (detail && locale().translate(detail)) ?? english;
}

/** The values that a field of the editor accepts. */
export function fieldText(kind: string, field: { name: string; description: string }): string {
  return serverText({ code: `field.${kind}.${field.name}`, params: {} }, field.description);
}

/** The name and the description of a plane. */
export function planeText(encoding: string, plane: PlaneText): PlaneText {
  return locale().planes[encoding]?.[plane.name] ?? plane;
}

/** Formats a number with the separators of the language. */
export function formatNumber(value: number): string {
  return value.toLocaleString(settings.language);
}
