// The rules beside the board: pieces with their ranges, the text, and what is selected on the board.

import { expect, test } from 'vitest';
import { expectAccessible } from './axe';
import { PHONE, storeSettings, type Page } from './browser';
import { cell, fetchView } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const drawer = (page: Page) => page.getByTestId('rules');
const currentPieces = (page: Page) =>
  drawer(page)
    .locator('.piece[aria-current] h4')
    .allInnerTexts()
    .then((names) => names.map((name) => name.trim()));

async function openRules(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Rules|Luật chơi)$/ }).click();
  await drawer(page).locator('.piece').first().waitFor();
}

test.each([
  ['chess', 6, 'Castling'],
  ['cotulenh', 11, 'Air defence'],
  ['tribun', 7, 'Slaves'],
])('the rules of %s have every piece with its range, and the text', async (kind, count, section) => {
  const { page } = await env.open(`#/analysis?kind=${kind}`, { colorScheme: 'light' });
  await openRules(page);
  const rules = drawer(page);
  expect(await rules.locator('.piece').count()).toBe(count);
  // Each diagram is loaded when it scrolls into view.
  for (const diagram of await rules.locator('.diagram').all()) {
    await diagram.scrollIntoViewIfNeeded();
    await diagram.locator('svg .target').first().waitFor();
  }
  await rules.getByRole('navigation', { name: 'Contents' }).getByRole('button', { name: section }).click();
  const heading = rules.getByRole('heading', { name: section });
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
  for (const picture of await rules.locator('.text img').all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
      .toBe(true);
  }
  await expectAccessible(page);
});

test('a range diagram shows the legal moves of its position', async () => {
  const { page } = await env.open('#/analysis?kind=cotulenh&rules=club');
  await openRules(page);
  const tank = drawer(page).locator('.piece', { hasText: 'Tank' }).filter({ hasText: 'two squares along' });
  await tank.scrollIntoViewIfNeeded();
  const label = await tank.getByRole('img', { name: 'Range of' }).getAttribute('aria-label');
  const position = '7c2i/11/11/11/11/11/5i5/11/5TIi3/11/11/6C3I r - - 0 1';
  const { legal_moves } = await fetchView(env.url, 'cotulenh', position);
  const targets = legal_moves.filter(({ from }) => from === 'f4').map(({ to }) => to!);
  expect(label).toContain('Range of red Tank on f4');
  expect([...label!.matchAll(/([a-k]\d+) can/g)].map(([, name]) => name).sort()).toEqual(targets.sort());
});

test('the drawer follows what is selected on the board', async () => {
  const position = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';
  const { page } = await env.open(`#/analysis?${new URLSearchParams({ kind: 'cotulenh', position })}`);
  await openRules(page);
  expect(await currentPieces(page)).toEqual([]);
  await cell(page, 'c4').click();
  await expect.poll(() => currentPieces(page)).toEqual(['Tank', 'Air Force', 'Navy']);
  await cell(page, 'g1').click();
  await expect.poll(() => currentPieces(page)).toEqual(['Commander']);
  await expect
    .poll(() =>
      drawer(page)
        .locator('.piece[aria-current]')
        .evaluate((piece) => {
          const [own, around] = [piece, piece.closest('section')!].map((element) =>
            element.getBoundingClientRect(),
          );
          return own!.top >= around!.top && own!.bottom <= around!.bottom;
        }),
    )
    .toBe(true);
});

test('the rules open, lead to a section and close with the keyboard alone', async () => {
  const { page } = await env.open('#/analysis?kind=cotulenh');
  const opener = page.getByRole('button', { name: 'Rules' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent?.trim()))
    .toBe('Rules of Cờ Tư Lệnh');
  await drawer(page).locator('.text').waitFor();
  expect(await opener.getAttribute('aria-expanded')).toBe('true');
  // A link within the text does not leave the page.
  const url = page.url();
  await drawer(page).locator('[data-section=stacks]').first().focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Stacks');
  expect(page.url()).toBe(url);
  await page.keyboard.press('Escape');
  await drawer(page).waitFor({ state: 'detached' });
  expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
});

test('the rules of the editor show the figure that is placed', async () => {
  const { page } = await env.open('#/editor?kind=tribun');
  await page.getByRole('button', { name: 'black 3', exact: true }).click();
  await openRules(page);
  await expect.poll(() => currentPieces(page)).toEqual(['Height 3']);
});

test.each([
  { width: 390, height: 664 },
  { width: 844, height: 390 },
])('at $width × $height, the rules leave a part of the board free, in Vietnamese', async (viewport) => {
  const { page } = await env.open(
    '#/analysis?kind=tribun',
    { ...PHONE, viewport, colorScheme: 'light' },
    (page) => storeSettings(page, { language: 'vi' }),
  );
  await cell(page, 'f6').waitFor();
  await openRules(page);
  await drawer(page).getByRole('heading', { name: 'Luật Tribun' }).waitFor();
  await cell(page, 'k11').click();
  await expect.poll(() => currentPieces(page)).toEqual(['Hộ dân quan']);
  const { scrollWidth, clientWidth } = await drawer(page).evaluate((element) => element);
  expect(scrollWidth).toBe(clientWidth);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Đóng' }).click();
  await drawer(page).waitFor({ state: 'detached' });
});
