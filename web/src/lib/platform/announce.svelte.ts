// The text of the page's live region, which screen readers read aloud.

/** `count` distinguishes repeated announcements of the same text. */
export const announcement = $state({ text: '', count: 0 });

export function announce(...sentences: string[]): void {
  announcement.text = sentences.filter((sentence) => sentence !== '').join('. ');
  announcement.count++;
}
