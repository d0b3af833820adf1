// The lessons that the player has solved, stored in the browser.

const KEY = 'sandtable-lessons';

type Progress = Partial<Record<string, string[]>>;

/** The ids of solved lessons, by kind of game. Another version of the page may have written them: invalid values are ignored. */
export function readProgress(stored = read()): Progress {
  let found: unknown;
  try {
    found = JSON.parse(stored ?? '{}');
  } catch {
    // Not JSON.
  }
  return Object.fromEntries(
    Object.entries(Object(found) as Record<string, unknown>)
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
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {
    // Storage may be blocked; the progress then lasts until the page is closed.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
