/** An action word in hexadecimal digits. */
export function formatActionWord(word: number): string {
  return `0x${word.toString(16).toUpperCase().padStart(8, '0')}`;
}
