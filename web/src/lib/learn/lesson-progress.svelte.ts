// The lessons that the player has solved, stored in the browser.

import { parseStored, storedText, storeJson } from '../platform/storage';

const KEY = 'sandtable-lessons';

type Progress = Partial<Record<string, string[]>>;

/** The ids of solved lessons, by kind of game. Another version of the page may have written them: invalid values are ignored. */
export function readProgress(stored = storedText(KEY)): Progress {
  return Object.fromEntries(
    Object.entries(parseStored(stored))
      .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
      .map(([kind, ids]) => [kind, ids.filter((id) => typeof id === 'string')]),
  );
}

const progress: Progress = $state(readProgress());

export function isSolved(kind: string, id: string): boolean {
  return progress[kind]?.includes(id) ?? false;
}

export function markSolved(kind: string, id: string): void {
  if (isSolved(kind, id)) return;
  progress[kind] = [...(progress[kind] ?? []), id];
  storeJson(KEY, progress);
}
