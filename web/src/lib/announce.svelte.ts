// What a screen reader is to say next.

export const announcement = $state({ text: '' });

export function announce(...sentences: string[]): void {
  announcement.text = sentences.filter((sentence) => sentence !== '').join('. ');
}
