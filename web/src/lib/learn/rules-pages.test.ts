import { expect, test } from 'vitest';
import { rulesPage as parse } from '../../../rules-plugin';
import { rulesPage } from './rules-pages';

const KINDS = ['chess', 'cotulenh', 'tribun'];
const size = () => ({ width: '3', height: '4' });

test.each(KINDS)('the rules of %s have the same contents in both languages', async (kind) => {
  const [english, vietnamese] = [(await rulesPage(kind, 'en'))!, (await rulesPage(kind, 'vi'))!];
  expect(english.title).not.toBe(vietnamese.title);
  const withoutText = (page: typeof english) => page.ranges.map((range) => ({ ...range, text: '' }));
  expect(withoutText(english)).toEqual(withoutText(vietnamese));
  expect(english.ranges.length).toBeGreaterThan(5);
  for (const page of [english, vietnamese]) {
    for (const { explains, text, position } of page.ranges) {
      expect(text.length, explains).toBeGreaterThan(20);
      expect(position, explains).not.toBe('');
    }
    expect(page.html).not.toContain('<!--');
    // Links to sections lead somewhere.
    const ids = [...page.html.matchAll(/id="rules-([^"]+)"/g)].map(([, id]) => id);
    expect(page.sections.map(({ id }) => id).filter((id) => !ids.includes(id))).toEqual([]);
    const links = [...page.html.matchAll(/data-section="([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    // Pictures have addresses, sizes and descriptions.
    const images = [...page.html.matchAll(/<img [^>]*>/g)].map(([image]) => image);
    expect(images.length).toBeGreaterThan(10);
    for (const image of images) {
      expect(image).toMatch(/src="[^"{]+\.svg[^"]*" alt="[^"]{20,}" width="\d+" height="\d+" loading="lazy"/);
    }
  }
});

const ENGLISH = `# Go: the rules

## Stones

### Stone

A *stone* & its [liberties](#stones).

Not this one.

<!-- diagram stone
explains: stone
position: here
piece: d4
hidden: pass resign
-->
![Four "points".](pictures/go-stone.svg)

<!-- diagram other
position: there
-->
![Nothing.](pictures/go-other.svg)
`;

test('a range diagram has the first paragraph below its heading', () => {
  const { title, sections, ranges, html } = parse(ENGLISH, ENGLISH, size);
  expect(title).toBe('Go: the rules');
  expect(sections).toEqual([{ id: 'stones', title: 'Stones' }]);
  const range = { explains: 'stone', position: 'here', piece: 'd4', hidden: ['pass', 'resign'] };
  expect(ranges).toEqual([{ ...range, text: 'A stone & its liberties.' }]);
  expect(html).toContain('<h4 id="rules-stone" tabindex="-1">Stone</h4>');
  expect(html).toContain('<button type="button" class="link" data-section="stones">liberties</button>');
  expect(html).toContain('<img src="{go-stone.svg}" alt="Four &#34;points&#34;." width="3" height="4"');
});

test('a translation has the diagrams of the English page', () => {
  const translation = '# Cờ vây\n\n### Quân\n\nMột quân.\n\n![Bốn.](pictures/go-stone.svg)\n';
  const { ranges } = parse(translation, ENGLISH, size);
  expect(ranges.map(({ explains, text }) => [explains, text])).toEqual([['stone', 'Một quân.']]);
});
