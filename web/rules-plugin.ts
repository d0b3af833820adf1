// Turns the rules of the games (docs/rules) into modules of the page when it is built (src/lib/learn/rules-page.ts has their type).

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import type { Plugin } from 'vite';
import type { RangeDiagram, RulesPage } from './src/lib/learn/rules-page.ts';

/** The lines of a diagram; `crates/sandtable/tests/suite/rules_pages.rs` describes them. */
type Lines = Partial<Record<string, string>>;

/** The diagrams of an English page, by their names. */
function diagrams(english: string): Map<string, Lines> {
  const blocks = [...english.matchAll(/^<!-- diagram (\S+)\n([^]*?)-->$/gm)];
  return new Map(
    blocks.map(([, name = '', lines = '']) => [
      name,
      Object.fromEntries(
        [...lines.matchAll(/^([\w-]+): *(.*)$/gm)].map(([, key = '', value = '']) => [key, value] as const),
      ),
    ]),
  );
}

/** The text of Markdown without links and emphasis. */
function plainText(tokens: Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? String(token.text) : '',
    )
    .join('');
}

/** The id of a heading: as GitHub makes it, so that the same links work there. */
const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s/g, '-');

const picture = ({ type, tokens }: Tokens.Paragraph): Tokens.Image | undefined =>
  type === 'paragraph' && tokens.length === 1 && tokens[0]?.type === 'image'
    ? (tokens[0] as Tokens.Image)
    : undefined;

const escape = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

/**
 * The contents of a page. `english` is the English page, which has the diagrams. In the HTML, the address of a picture is
 * its file name in braces: `{chess-rook.svg}`; `size` returns its width and height.
 */
export function rulesPage(
  markdown: string,
  english: string,
  size: (file: string) => { width: string; height: string },
): RulesPage {
  const described = diagrams(english);
  const page: RulesPage = { title: '', html: '', sections: [], ranges: [] };
  const marked = new Marked({
    renderer: {
      // Comments, which have the diagrams.
      html: () => '',
      // The drawer has a heading of its own, so all others are one level lower.
      heading({ tokens, depth }) {
        if (depth === 1) return '';
        const level = depth + 1;
        return `<h${level} id="rules-${slug(plainText(tokens))}" tabindex="-1">${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      // The fragment of the URL is the route of the page: a link to a section is a button, which the drawer handles.
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return `<button type="button" class="link" data-section="${escape(decodeURI(href).slice(1))}">${text}</button>`;
      },
      image({ href, text }) {
        const file = basename(href);
        const { width, height } = size(file);
        return `<img src="{${file}}" alt="${escape(text)}" width="${width}" height="${height}" loading="lazy">`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  let paragraph: string | null = null;
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, tokens: heading } = token as Tokens.Heading;
      const title = plainText(heading);
      if (depth === 1) page.title = title;
      if (depth === 2) page.sections.push({ id: slug(title), title });
      paragraph = null;
    } else if (token.type === 'paragraph') {
      const image = picture(token as Tokens.Paragraph);
      if (image) page.ranges.push(...range(image, described, paragraph ?? ''));
      else paragraph ??= plainText((token as Tokens.Paragraph).tokens).replaceAll('\n', ' ');
    }
  }
  page.html = marked.parser(tokens);
  return page;
}

/** The range diagram of a picture, if it is one, with the first paragraph below its heading. */
function range(image: Tokens.Image, described: Map<string, Lines>, text: string): RangeDiagram[] {
  const name = basename(image.href, '.svg').replace(/^[a-z]+-/, '');
  const { explains, position = '', piece = '', hidden = '' } = described.get(name) ?? {};
  return explains === undefined ? [] : [{ explains, position, piece, hidden: hidden.split(' '), text }];
}

export function rulesPlugin(): Plugin {
  return {
    name: 'sandtable-rules',
    enforce: 'pre',
    transform(markdown, id) {
      if (!/\/docs\/rules\/[\w.]+\.md$/.test(id)) return;
      const folder = dirname(id);
      const english = readFileSync(id.replace(/\.vi\.md$/, '.md'), 'utf8');
      const { html, ...page } = rulesPage(markdown, english, (file) => {
        const svg = readFileSync(join(folder, 'pictures', file), 'utf8');
        const [, width = '', height = ''] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
        return { width, height };
      });
      const files = [...new Set([...html.matchAll(/\{([\w-]+\.svg)\}/g)].flatMap(([, file]) => file ?? []))];
      const imports = files.map((file, i) => `import p${i} from './pictures/${file}?url&no-inline';`);
      const text = html
        .split(/(\{[\w-]+\.svg\})/)
        .map((part) =>
          part.startsWith('{') ? `p${files.indexOf(part.slice(1, -1))}` : JSON.stringify(part),
        );
      const fields = Object.entries(page).map(
        ([key, value]) => `export const ${key} = ${JSON.stringify(value)};`,
      );
      return {
        code: [...imports, ...fields, `export const html = ${text.join(' + ')};`].join('\n'),
        map: null,
      };
    },
  };
}
