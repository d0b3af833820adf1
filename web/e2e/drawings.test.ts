// The map, the figures, fire zones, themes and coordinates.

import { expect, test } from 'vitest';
import { BOARD_THEMES, PIECE_THEMES } from '../src/lib/board/board-themes';
import { figureStyle } from '../src/lib/board/figure-style';
import type { Piece } from '../src/lib/types';
import { storeSettings, type Page } from './browser';
import { setUpEnvironment } from './environment';
import { cell, fetchView } from './helpers';

const env = setUpEnvironment();

const openPosition = (kind: string, rules: string, position: string) =>
  env.open(`#/analysis?kind=${kind}&rules=${rules}&position=${encodeURIComponent(position)}`);

test.each([
  ['standard', 0, 'land'],
  ['club', 1, 'bridge'],
])(
  'the map of %s has a shore and a river, and bridges only where heavy pieces cross',
  async (rules, bridges, f6) => {
    const { page } = await env.open(`#/analysis?kind=cotulenh&rules=${rules}`);
    await expect.poll(() => cell(page, 'f6').getAttribute('aria-label')).toBe(`f6, ${f6}, empty`);
    expect(await page.locator('.board .water').count()).toBe(1);
    expect(await page.locator('.board .wave').count()).toBe(1);
    expect(await page.locator('.board .bridge').count()).toBe(bridges);
  },
);

test('the zone of the enemy is shown while an aircraft is selected', async () => {
  const { page } = await env.open('#/analysis?kind=cotulenh');
  await cell(page, 'f4').click();
  await page.locator('.selected').waitFor();
  expect(await page.locator('[data-zone]').count()).toBe(0);
  await cell(page, 'e2').click();
  await page.locator('[data-zone=second]').waitFor();
  expect(await page.locator('[data-zone]').count()).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('[data-zone]').count()).toBe(0);
});

/** The golden parts of the figure on a cell. */
const gold = (page: Page, name: string) =>
  page.locator(`[data-figure="${name}"] :is([fill="#f2c230"], [stroke="#f2c230"])`).count();

test('heroes have a golden rim and chevrons, and carried pieces almost half the size of their carrier', async () => {
  const { page } = await openPosition(
    'cotulenh',
    'standard',
    '6c4/11/11/11/11/11/11/11/4+G1(FTI)4/11/11/6C4 r - - 0 1',
  );
  await page.locator('[data-figure=e4]').waitFor();
  expect([await gold(page, 'e4'), await gold(page, 'g4'), await gold(page, 'g1')]).toEqual([2, 0, 0]);
  const sizes = await page
    .locator('[data-figure=g4] > g')
    .evaluateAll((pieces) => pieces.map((piece) => piece.getBoundingClientRect().width));
  expect(sizes).toHaveLength(3);
  expect(Math.min(...sizes) / Math.max(...sizes)).toBeGreaterThanOrEqual(0.45);
});

test('tribuns have a crown, and a slave lies beneath with its height in front', async () => {
  const { page } = await openPosition('tribun', 'standard', 'black:a1=1*,f6=3/2 white:k11=4*,g8=2 b -');
  await page.locator('[data-figure=f6]').waitFor();
  expect([await gold(page, 'a1'), await gold(page, 'f6'), await gold(page, 'k11')]).toEqual([2, 0, 2]);
  const fills = await page
    .locator('[data-figure=f6] > g')
    .evaluateAll((parts) => parts.map((part) => part.querySelector('[fill]')?.getAttribute('fill')));
  expect(fills.slice(0, 2)).toEqual(['#fffcf5', '#22201e']);
  expect(fills).toHaveLength(3);
});

test('board, pieces and coordinates are settings, also after a reload', async () => {
  const { page } = await env.open('#/analysis?kind=cotulenh');
  const labels = page.locator('.labels text');
  const land = () => page.locator('.board .land').evaluate((rect) => getComputedStyle(rect).fill);
  const bodies = () => page.locator('[data-figure=g12] [fill="#fffdf6"]').count();
  await labels.first().waitFor();
  const [before, count] = [await land(), await labels.count()];
  const width = () =>
    page.locator('svg.board').evaluate((board) => (board as SVGSVGElement).viewBox.baseVal.width);
  const inside = await width();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Board' }).selectOption('Meadow');
  await page.getByRole('combobox', { name: 'Pieces' }).selectOption('High contrast');
  await page.getByRole('combobox', { name: 'Coordinates' }).selectOption('Outside');
  await expect.poll(land).not.toBe(before);
  expect(await bodies()).toBe(1);
  expect(await labels.count()).toBe(count);
  expect(await width()).toBeGreaterThan(inside);
  await page.getByRole('combobox', { name: 'Coordinates' }).selectOption('Off');
  await expect.poll(() => labels.count()).toBe(0);
  expect(await width()).toBe(inside);
  const chosen = await land();
  await page.reload();
  await page.locator('[data-figure=g12]').waitFor();
  expect([await land(), await bodies(), await labels.count()]).toEqual([chosen, 1, 0]);
});

/** The relative luminance of a colour `#rrggbb`, as WCAG defines it. */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test.each(['chess', 'cotulenh', 'tribun'])(
  'without colours, the two sides of %s differ in shape or brightness, and kinds in their drawings',
  async (kind) => {
    const { board } = await fetchView(env.url, kind);
    const pieces = board.cells.flatMap(({ figure }) => figure?.pieces ?? []);
    const drawing = ({ outlines, symbol, badge }: Piece) => [...outlines, symbol, badge].join(' ');
    const name = ({ kind, height, badge }: Piece) => `${kind} ${height ?? ''} ${badge}`;
    for (const one of pieces) {
      for (const other of pieces) {
        if (one.owner === other.owner) {
          expect(drawing(one) === drawing(other), `${name(one)}, ${name(other)}`).toBe(
            name(one) === name(other),
          );
        } else if (one.outlines[0] === other.outlines[0]) {
          for (const theme of PIECE_THEMES) {
            const [body, otherBody] = [one, other].map((piece) => figureStyle(piece, board.inks, theme).body);
            expect(contrast(body ?? '', otherBody ?? ''), theme).toBeGreaterThanOrEqual(7);
          }
        }
      }
    }
    // Symbols stand out from their bodies.
    for (const theme of PIECE_THEMES) {
      for (const piece of pieces.filter(({ symbol }) => symbol)) {
        const { body, line } = figureStyle(piece, board.inks, theme);
        expect(contrast(body, line), `${name(piece)} in ${theme}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  },
);

/** The colour `rgb(r, g, b)` as `#rrggbb`. */
const toHex = (color: string) =>
  `#${(color.match(/\d+/g) ?? [])
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;

test.each(BOARD_THEMES)('captured pieces stand out from the dark bars (%s)', async (board) => {
  const line = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 f3e5';
  const { page } = await env.open(
    `#/analysis?kind=chess&moves=${encodeURIComponent(line)}`,
    { colorScheme: 'dark' },
    (page) => storeSettings(page, { board }),
  );
  const captured = page.locator(':is(.above, .below) svg[role=img]');
  await expect.poll(() => captured.count()).toBe(2);
  const colors = await captured.evaluateAll((found) =>
    found.map((svg) => {
      let ground: Element | null = svg;
      while (ground && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)')
        ground = ground.parentElement;
      const { fill, stroke } = getComputedStyle(svg.querySelector('path')!);
      return { ground: getComputedStyle(ground!).backgroundColor, piece: [fill, stroke] };
    }),
  );
  for (const { ground, piece } of colors) {
    const best = Math.max(...piece.map((color) => contrast(toHex(ground), toHex(color))));
    expect(best).toBeGreaterThanOrEqual(4.5);
  }
});

test('every board theme has its own colours, which are darker on a dark page', async () => {
  const grounds = ['--ground-light', '--ground-dark', '--tile-light', '--ground-land', '--ground-water'];
  const seen = new Set<string>();
  for (const board of BOARD_THEMES) {
    const { page } = await env.open('#/games', { colorScheme: 'light' }, (page) =>
      storeSettings(page, { board }),
    );
    const colors = () =>
      page.evaluate((names) => {
        const style = getComputedStyle(document.documentElement);
        return names.map((name) => style.getPropertyValue(name));
      }, grounds);
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    await expect.poll(theme).toBe('light');
    const light = await colors();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(theme).toBe('dark');
    const dark = await colors();
    for (const [i, name] of grounds.entries())
      expect(luminance(dark[i] ?? ''), `${board} ${name}`).toBeLessThan(0.8 * luminance(light[i] ?? ''));
    seen.add(light.join()).add(dark.join());
  }
  expect(seen.size).toBe(2 * BOARD_THEMES.length);
});
