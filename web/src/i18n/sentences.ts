// What the server says is English. A catalogue says the same in another language: sentences with holes, and a sentence in a
// hole is one of the catalogue too. What no catalogue knows stays as it is.

/** English with `{}` for every hole; the other language with `{1}`, `{2}` … for what stood in the holes. */
export type Sentences = Readonly<Record<string, string>>;

interface Pattern {
  finds: RegExp;
  /** For every hole: is it quoted? What was typed is shown as it was typed. */
  quoted: boolean[];
  becomes: string;
}

/** Between reasons that are told together. A hole does not reach over it. */
const AND = '; ';
const HOLE = `((?:(?!${AND}).)*?)`;

function pattern(english: string, becomes: string): Pattern {
  const literals = english.split('{}');
  const escaped = literals.map((literal) => literal.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return {
    finds: new RegExp(`^${escaped.join(HOLE)}$`, 's'),
    quoted: literals.slice(0, -1).map((literal) => /[`']$/.test(literal)),
    becomes,
  };
}

/** A function that translates; `word` knows the words that sentences are not needed for. */
export function translator(
  sentences: Sentences,
  word: (english: string) => string | undefined,
): (text: string) => string {
  // The more a pattern says itself, the surer it is meant.
  const patterns = Object.keys(sentences)
    .filter((english) => english.includes('{}'))
    .sort((a, b) => b.replaceAll('{}', '').length - a.replaceAll('{}', '').length)
    .map((english) => pattern(english, sentences[english] ?? english));
  const known = new Map(Object.entries(sentences));

  const find = (text: string): string => {
    const whole = word(text);
    if (whole !== undefined) return whole;
    for (const { finds, quoted, becomes } of patterns) {
      const found = finds.exec(text);
      if (!found) continue;
      const parts = found.slice(1).map((part, i) => (quoted[i] ? part : translate(part)));
      return becomes.replace(/\{(\d)\}/g, (_, number: string) => parts[Number(number) - 1] ?? '');
    }
    return text.includes(AND) ? text.split(AND).map(translate).join(AND) : text;
  };
  const translate = (text: string): string => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const translated = find(text);
    known.set(text, translated);
    return translated;
  };
  return translate;
}

/** The words that the messages of a language know, however they are written. */
export function wordsOf(messages: Partial<Record<string, string>>): (english: string) => string | undefined {
  return (english) => messages[`term.${english}`] ?? messages[`term.${english.toLowerCase()}`];
}
