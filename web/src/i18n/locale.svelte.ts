// The texts of the page's language. Only English ones are part of the first view.

import { settings } from '../lib/platform/settings.svelte';
import type { Detail } from '../lib/types';
import { en, type Messages } from './en';
import type { Catalog } from './server-text';

export type Language = 'en' | 'vi';

export interface Locale {
  messages: Messages;
  /** Translates a message of the server; undefined where its English text is to be shown. */
  translate: (detail: Detail) => string | undefined;
  planes: Catalog['planes'];
}

const english: Locale = { messages: en, translate: () => undefined, planes: {} };
let vietnamese = $state.raw<Locale>();

/** The texts of the player's language; English ones until those are loaded. */
export function locale(): Locale {
  return (settings.language === 'vi' ? vietnamese : undefined) ?? english;
}

/** Loads the texts of the player's language. Without a connection they stay English. */
export async function loadTexts(): Promise<void> {
  if (settings.language === 'vi')
    vietnamese ??= await import('./locale.vi').then(
      (module) => module.locale,
      () => undefined,
    );
}
