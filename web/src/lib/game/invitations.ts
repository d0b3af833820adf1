// The invitation links that this browser has created. The server knows only hashes of their tokens.

const key = (id: string) => `sandtable-invitation-${id}`;

/** The invitation link of a game; empty if there is none. */
export function storedInvitation(id: string): string {
  try {
    return localStorage.getItem(key(id)) ?? '';
  } catch {
    return '';
  }
}

export function storeInvitation(id: string, url: string): void {
  try {
    localStorage.setItem(key(id), url);
  } catch {
    // Storage may be blocked; the link is then lost when the page is closed, and can be replaced.
  }
}

export function forgetInvitation(id: string): void {
  try {
    localStorage.removeItem(key(id));
  } catch {
    // Nothing is stored.
  }
}
