// Values in the storage of the browser, which may be blocked: then nothing is found, and what is stored is forgotten.

/** A stored text; null if there is none. */
export function storedText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** A stored JSON text as an object. Another version of the page may have written it, so its fields have to be checked. */
export function parseStored(text: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(text ?? '{}')) as Record<string, unknown>;
  } catch {
    // Not JSON.
    return {};
  }
}

export function storeJson(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Blocked, or full.
  }
}
