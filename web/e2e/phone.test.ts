// Small screens: what a player needs during a game is on the screen without scrolling.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { PHONE, storeSettings, type Page } from './browser';
import { cell, request } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const PORTRAIT = [
  { width: 390, height: 844 },
  { width: 390, height: 664 },
];
const LANDSCAPE = { width: 844, height: 390 };
const SCREENS = [...PORTRAIT, LANDSCAPE];

const againstEngine = (kind: string) =>
  request<Game>(env.url, 'games', {
    kind,
    seats: { first: { type: 'human' }, second: { type: 'engine', level: 5 } },
  });

async function box(page: Page, selector: string) {
  const found = await page.locator(selector).first().boundingBox();
  if (!found) throw new Error(`${selector} is not visible`);
  return { ...found, right: found.x + found.width, bottom: found.y + found.height };
}

test.each(SCREENS)(
  'at $width × $height, the actions of a game are on the screen, the others in a menu',
  async (viewport) => {
    for (const kind of ['chess', 'cotulenh', 'tribun']) {
      const { id } = await againstEngine(kind);
      const { page } = await env.open(`#/game/${id}`, { ...PHONE, viewport });
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      await button('Hint').waitFor();
      const names = ['Take back', 'Hint', 'More', 'Go to start', 'Previous move', 'Next move', 'Go to end'];
      for (const name of names) {
        const place = await button(name).boundingBox();
        expect(place!.y + place!.height, `${kind} ${name}`).toBeLessThanOrEqual(viewport.height);
        expect(Math.min(place!.width, place!.height), `${kind} ${name}`).toBeGreaterThanOrEqual(44);
      }
      expect(await button('Resign').isVisible()).toBe(false);
      await button('More').click();
      for (const name of ['Show threats', 'Flip board', 'Offer draw', 'Resign']) {
        const place = await button(name).boundingBox();
        expect(place!.y + place!.height, `${kind} ${name}`).toBeLessThanOrEqual(viewport.height);
      }
      await button('Resign').click();
      await button('Cancel').click();
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('More');
      await page.close();
    }
  },
);

test.each(SCREENS)('at $width × $height, the names of the players are not cut off', async (viewport) => {
  const { id } = await againstEngine('chess');
  const { page } = await env.open(`#/game/${id}`, { ...PHONE, viewport });
  await page.getByText('White').first().waitFor();
  const cut = await page
    .locator('.player .name')
    .evaluateAll((names) =>
      names
        .filter((name) => name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight + 1)
        .map((name) => name.textContent),
    );
  expect(cut).toEqual([]);
});

test('sideways, the bar of choices is beside the board and the names', async () => {
  const position = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';
  const { id } = await request<Game>(env.url, 'games', { kind: 'cotulenh', position });
  const { page } = await env.open(`#/game/${id}`, { ...PHONE, viewport: LANDSCAPE });
  await cell(page, 'c4').click();
  await page.getByTestId('choices').waitFor();
  const choices = await box(page, '[data-testid=choices]');
  expect(choices.x).toBeGreaterThanOrEqual((await box(page, '[data-testid=frame]')).right);
  expect(choices.bottom).toBeLessThanOrEqual(LANDSCAPE.height);
  expect(choices.y).toBeGreaterThanOrEqual((await box(page, '.toolbar')).bottom);
});

test.each(SCREENS)(
  'at $width × $height, what the bar of choices covers can be scrolled free',
  async (viewport) => {
    const position = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';
    const { id } = await request<Game>(env.url, 'games', { kind: 'cotulenh', position });
    const { page } = await env.open(`#/game/${id}`, { ...PHONE, viewport });
    await cell(page, 'c4').click();
    await page.getByTestId('choices').waitFor();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const end = async () => (await box(page, '[data-testid=side] > :last-child')).bottom;
    expect(await end()).toBeLessThanOrEqual((await box(page, '[data-testid=choices]')).y);
    // The end of the page stays where it is when the bar closes.
    const before = await end();
    await page.keyboard.press('Escape');
    await page.getByTestId('choices').waitFor({ state: 'detached' });
    expect(await end()).toBe(before);
  },
);

test.each(
  SCREENS.flatMap((viewport) => ['en', 'vi'].map((language) => ({ ...viewport, viewport, language }))),
)(
  'at $width × $height, the depth of the engine is not cut off ($language)',
  async ({ viewport, language }) => {
    const { page } = await env.open('#/analysis?kind=chess', { ...PHONE, viewport }, (page) =>
      storeSettings(page, { language }),
    );
    await page.locator('[data-testid=engine] li').first().waitFor();
    // A long search.
    const cut = await page.locator('.depth').evaluate((depth) => {
      depth.textContent = (depth.textContent ?? '').replace(/\d+ · [\d.,]+/, '40 · 123,456,789');
      return { text: depth.textContent, by: depth.scrollWidth - depth.clientWidth };
    });
    expect(cut.text).toContain('123,456,789');
    expect(cut.by).toBe(0);
  },
);

test.each(SCREENS)('at $width × $height, the pieces of the editor are on the screen', async (viewport) => {
  for (const kind of ['chess', 'cotulenh', 'tribun']) {
    const { page } = await env.open(`#/editor?kind=${kind}`, { ...PHONE, viewport });
    await page.locator('.shelf button').first().waitFor();
    const { bottom } = await box(page, '.shelf button');
    expect(bottom, kind).toBeLessThanOrEqual(viewport.height);
    await page.close();
  }
});
