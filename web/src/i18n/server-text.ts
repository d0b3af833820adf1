// Translates the server's English text with a catalog of patterns. Text in a placeholder is translated with the same
// catalog; text that matches no pattern stays English.

/** Maps English text with `{}` placeholders to a translation with `{1}`, `{2}` … in any order. */
export type Catalog = Readonly<Record<string, string>>;

interface Pattern {
  regex: RegExp;
  /** For every placeholder: whether it is quoted. Quoted text is user input and stays untranslated. */
  quoted: boolean[];
  translation: string;
}

/** Separates several error messages. A placeholder does not extend across it. */
const SEPARATOR = '; ';
const PLACEHOLDER = `((?:(?!${SEPARATOR}).)*?)`;

function compile(english: string, translation: string): Pattern {
  const literals = english.split('{}');
  const escaped = literals.map((literal) => literal.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return {
    regex: new RegExp(`^${escaped.join(PLACEHOLDER)}$`, 's'),
    quoted: literals.slice(0, -1).map((literal) => /[`']$/.test(literal)),
    translation,
  };
}

/** Returns a translation function for a catalog; `lookUpTerm` translates single words. */
export function translator(
  catalog: Catalog,
  lookUpTerm: (english: string) => string | undefined,
): (text: string) => string {
  // The pattern with the most literal text is the most specific one.
  const patterns = Object.keys(catalog)
    .filter((english) => english.includes('{}'))
    .sort((a, b) => b.replaceAll('{}', '').length - a.replaceAll('{}', '').length)
    .map((english) => compile(english, catalog[english] ?? english));
  const cache = new Map(Object.entries(catalog));

  const find = (text: string): string => {
    const word = lookUpTerm(text);
    if (word !== undefined) return word;
    for (const { regex, quoted, translation } of patterns) {
      const match = regex.exec(text);
      if (!match) continue;
      const values = match.slice(1).map((value, i) => (quoted[i] ? value : translate(value)));
      return translation.replace(/\{(\d)\}/g, (_, number: string) => values[Number(number) - 1] ?? '');
    }
    return text.includes(SEPARATOR) ? text.split(SEPARATOR).map(translate).join(SEPARATOR) : text;
  };
  const translate = (text: string): string => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const translated = find(text);
    cache.set(text, translated);
    return translated;
  };
  return translate;
}

/** Looks up the `term.` keys of a language, ignoring case if necessary. */
export function termLookup(
  messages: Partial<Record<string, string>>,
): (english: string) => string | undefined {
  return (english) => messages[`term.${english}`] ?? messages[`term.${english.toLowerCase()}`];
}
