// What a text that the player pastes most likely is. The backend has the last word.

/** Returns whether a text looks like a game record: with tags, move numbers, or nothing that a position has. */
export function looksLikeRecord(text: string): boolean {
  if (/^\s*\[/m.test(text) || /(^|\s)\d+\./.test(text)) return true;
  // Ranks are separated by slashes, and Tribun lists the units of each player.
  return !/\S\/\S*\/|\b(black|white):/.test(text);
}
