// The card of a figure: under the mouse, after a long press, and with the keyboard.

import { expect, test } from 'vitest';
import { expectAccessible } from './axe';
import { PHONE, startTouch, storeSettings, type Page } from './browser';
import { cell, cellCenter, moves } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const card = (page: Page) => page.getByTestId('piece-card');
const analysis = (kind: string, position?: string) =>
  `#/analysis?${new URLSearchParams({ kind, ...(position ? { position } : {}) })}`;

// A heroic Tank beside other pieces, a Navy with passengers.
const HEROES = '5c5/8ii1/5+T5/11/11/11/11/11/2(NFT)8/11/8I2/6C4 b - - 0 1';

test('a mouse that rests on a figure shows its card, and one that leaves hides it', async () => {
  const { page } = await env.open(analysis('cotulenh', HEROES), { colorScheme: 'light' });
  await cell(page, 'f10').hover();
  await card(page).waitFor();
  const text = await card(page).innerText();
  for (const part of [
    'Red Tank, heroic',
    'up to two squares along ranks and files',
    'by an attack on the enemy commander',
    'Stands on: ',
    'Can carry: Commander, Infantry, Militia',
    'Can be carried by: Navy, Air Force',
  ])
    expect(text).toContain(part);
  await expectAccessible(page);
  await cell(page, 'f6').hover();
  await card(page).waitFor({ state: 'detached' });

  // The card covers neither its figure nor clicks.
  await cell(page, 'c4').hover();
  await card(page).waitFor();
  expect(await card(page).innerText()).toContain('carrying Air Force and Tank');
  const box = (await card(page).boundingBox())!;
  const { x, y } = await cellCenter(page, 'c4');
  expect(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height).toBe(false);
  await page.mouse.down();
  await card(page).waitFor({ state: 'detached' });
});

test.each([
  ['standard', false],
  ['club', true],
])('the terrain of a figure is that of the rules on the board: %s', async (rules, hasBridges) => {
  const { page } = await env.open(`#/analysis?${new URLSearchParams({ kind: 'cotulenh', rules })}`);
  await cell(page, 'f4').hover();
  await card(page).waitFor();
  expect((await card(page).innerText()).includes('bridge')).toBe(hasBridges);
});

test('units of Tribun say their height, slave and whether they are the tribun', async () => {
  const { page } = await env.open(analysis('tribun', 'black:a1=1*,f6=3/2 white:k11=4* b -'));
  await cell(page, 'f6').hover();
  await card(page).waitFor();
  expect(await card(page).innerText()).toContain('A 3 leaps like a knight');
  expect(await card(page).innerText()).toContain('Its slave has height 2');
  await cell(page, 'k11').hover();
  await expect.poll(() => card(page).innerText()).toContain('An attack on the tribun wins the game.');
  expect(await card(page).innerText()).toContain('A 4 slides any distance');
});

test('a key describes the focused figure and reads it aloud', async () => {
  const { page } = await env.open(analysis('chess'));
  const announcement = () => page.getByTestId('announcement').innerText();
  for (const key of ['i', 'ContextMenu']) {
    await cell(page, 'g1').focus();
    await page.keyboard.press(key);
    await card(page).waitFor();
    await expect
      .poll(announcement)
      .toMatch(/^white Knight\. A knight moves two squares along a rank or file/);
    // Escape closes the card first and keeps the selection.
    await page.keyboard.press('Escape');
    await card(page).waitFor({ state: 'detached' });
  }
  await page.keyboard.press('i');
  await card(page).waitFor();
  await page.keyboard.press('ArrowUp');
  await card(page).waitFor({ state: 'detached' });
  // There is nothing to describe on an empty cell.
  await cell(page, 'e4').focus();
  await page.keyboard.press('i');
  expect(await card(page).count()).toBe(0);
});

test('a long press shows the card, a tap selects as before', async () => {
  const { page } = await env.open(analysis('cotulenh'), { ...PHONE, colorScheme: 'light' }, (page) =>
    storeSettings(page, { language: 'vi' }),
  );
  await cell(page, 'g12').waitFor();
  const touch = await startTouch(page);
  const { x, y } = await cellCenter(page, 'g12');
  await touch.down(x, y);
  await card(page).waitFor();
  await touch.up();
  expect(await card(page).innerText()).toContain('Tư lệnh đi như xe trong cờ vua');
  // Within the screen.
  const box = (await card(page).boundingBox())!;
  expect(box.x >= 0 && box.x + box.width <= 390).toBe(true);
  await expectAccessible(page);
  await cell(page, 'c5').tap();
  await card(page).waitFor({ state: 'detached' });
  await cell(page, 'c6').tap();
  await expect.poll(() => moves(page).count()).toBe(1);
});

test('cards under the mouse can be switched off', async () => {
  const { page } = await env.open(analysis('chess'), {}, (page) => storeSettings(page, { cards: false }));
  await cell(page, 'g1').hover();
  await page.waitForTimeout(1_000);
  expect(await card(page).count()).toBe(0);
  await cell(page, 'g1').focus();
  await page.keyboard.press('i');
  await card(page).waitFor();
});

test('figures of the editor have cards', async () => {
  const { page } = await env.open('#/editor?kind=cotulenh');
  await cell(page, 'g10').hover();
  await card(page).waitFor();
  expect(await card(page).innerText()).toContain('Blue Missile');
});
