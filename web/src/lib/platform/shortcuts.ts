// Keys that work anywhere on the page.

import { settings } from './settings.svelte';

/**
 * Returns whether the page may use a key as a shortcut. Keys with a modifier belong to the browser. Keys of one character can
 * be turned off (WCAG 2.1.4): speech input and stray presses type them.
 */
export function isShortcut({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  const isCharacter = Array.from(key).length === 1 && key !== ' ';
  return settings.shortcuts || !isCharacter;
}

/** Returns whether an element takes typed text. */
export function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=range])')
  );
}
