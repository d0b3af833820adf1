// Keyboard shortcuts, their list, and the settings.

import { expect, test } from 'vitest';
import { expectAccessible } from './axe';
import { storeSettings, type Page } from './browser';
import { cell, currentMove, moves } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const isFlipped = async (page: Page) =>
  ((await cell(page, 'a1').boundingBox())?.y ?? 0) < ((await cell(page, 'a8').boundingBox())?.y ?? 0);

test('? shows all shortcuts, and single keys can be switched off', async () => {
  const { page } = await env.open('#/analysis?kind=chess&moves=e2e4%20e7e5');
  await currentMove(page, 'e5').waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.waitFor();
  for (const text of ['Flip board', 'Previous and next move', 'Choose an option of the move'])
    await dialog.getByText(text, { exact: true }).waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Single-key shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  for (const key of ['f', ',', '?']) await page.keyboard.press(key);
  // Keys that are not characters still work.
  await page.keyboard.press('ArrowLeft');
  await currentMove(page, 'e4').waitFor();
  expect(await isFlipped(page)).toBe(false);
  expect(await dialog.count()).toBe(0);

  // The setting is stored, and can be switched on again in the settings.
  await page.reload();
  await moves(page, 'e4').waitFor();
  await page.keyboard.press('f');
  expect(await isFlipped(page)).toBe(false);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Single-key shortcuts').check();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Settings');
  await page.keyboard.press('f');
  await expect.poll(() => isFlipped(page)).toBe(true);
});

test('a question mark in a text field is only typed', async () => {
  const { page } = await env.open('#/analysis?kind=chess');
  await page.getByRole('tab', { name: 'Lab' }).click();
  await page.getByText('Import and export').click();
  const field = page.getByLabel('Paste a position or game record');
  await field.focus();
  await page.keyboard.type('e4?');
  expect(await field.inputValue()).toBe('e4?');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test.each(['en', 'vi'])('no text in the settings is cut off: %s', async (language) => {
  for (const viewport of [
    { width: 1280, height: 720 },
    { width: 390, height: 664 },
    { width: 844, height: 390 },
  ]) {
    const { page } = await env.open('#/', { viewport }, (page) => storeSettings(page, { language }));
    await page.getByRole('button', { name: /^(Settings|Cài đặt)$/ }).click();
    const panel = page.locator('.settings .panel');
    await panel.waitFor();
    const selects = panel.locator('select');
    for (let i = 0; i < (await selects.count()); i++) {
      // As wide as the longest option needs.
      const cut = await selects.nth(i).evaluate((select: HTMLSelectElement) => {
        const copy = select.cloneNode(true) as HTMLSelectElement;
        copy.style.cssText = 'position: absolute; width: auto; flex: none';
        select.parentElement?.append(copy);
        const needed = copy.offsetWidth;
        copy.remove();
        return needed - select.offsetWidth;
      });
      expect(cut).toBeLessThanOrEqual(0);
    }
    const box = await panel.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= viewport.width).toBe(true);
    expect(box && box.y + box.height <= viewport.height).toBe(true);
    expect(await panel.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  }
});

test.each([
  ['chess', '8/4P3/8/8/8/8/8/k1K5 w - - 0 1', ['e7', 'e8'], 'becomes queen'],
  ['cotulenh', '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1', ['c4'], 'piece navy'],
])(
  'number keys choose nothing while single keys are switched off: %s',
  async (kind, position, cells, first) => {
    const query = new URLSearchParams({ kind, position });
    const { page } = await env.open(`#/analysis?${query}`, {}, (page) =>
      storeSettings(page, { shortcuts: false }),
    );
    for (const name of cells) await cell(page, name).click();
    const options = page.locator('[data-choice]');
    await page.locator(`[data-choice="${first}"]`).waitFor();
    const before = await options.count();
    for (const key of ['1', '2', '3']) await page.keyboard.press(key);
    // A key that is not a character still works, after all the others were handled.
    expect(await options.count()).toBe(before);
    expect(await page.locator('[data-choice][aria-pressed=true]').count()).toBe(0);
    expect(await moves(page).count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => options.count()).toBe(0);
  },
);
