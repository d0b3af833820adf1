// What a screen reader is to say next.

/** `count` tells two announcements of the same text apart. */
export const announcement = $state({ text: '', count: 0 });

export function announce(...sentences: string[]): void {
  announcement.text = sentences.filter((sentence) => sentence !== '').join('. ');
  announcement.count++;
}
