// A click that can do nothing says why, at the piece.

import { expect, test } from 'vitest';
import { PHONE, storeSettings, type Page } from './browser';
import { setUpEnvironment } from './environment';
import { cell, cellCenter, moves } from './helpers';

const env = setUpEnvironment();

const HEADQUARTERS = '5c5/11/11/11/11/11/11/4H6/11/11/11/6C4 r - - 0 1';
const analysis = (kind: string, position?: string) =>
  `#/analysis?kind=${kind}` + (position ? `&position=${encodeURIComponent(position)}` : '');

/** Waits for a refusal in one line near a cell, for eyes and screen readers. */
async function expectRefusal(page: Page, at: string, text: string): Promise<void> {
  const refusal = page.getByTestId('refusal');
  await expect.poll(() => refusal.innerText()).toBe(text);
  await expect.poll(() => page.getByRole('status').allInnerTexts()).toContain(text);
  // A text of another size moves it with the next frame.
  const distance = async () => {
    const [box, center] = [await refusal.boundingBox(), await cellCenter(page, at)];
    return Math.abs(box!.y + box!.height / 2 - center.y);
  };
  await expect.poll(distance).toBeLessThan(120);
}

test('a figure that cannot act at all', async () => {
  const { page } = await env.open(analysis('cotulenh', HEADQUARTERS));
  await cell(page, 'e5').click();
  await expectRefusal(page, 'e5', 'A Headquarters moves only once it is heroic');
  // The next click removes it.
  await cell(page, 'g1').click();
  await page.getByTestId('refusal').waitFor({ state: 'detached' });
});

test('a target out of reach: clicked, dropped on and chosen with the keyboard', async () => {
  const { page } = await env.open(analysis('chess'));
  const text = 'A knight moves two squares along a rank or file and one to the side';
  await cell(page, 'g1').click();
  await cell(page, 'g4').click();
  await expectRefusal(page, 'g1', text);
  await cell(page, 'b1').dragTo(cell(page, 'b5'));
  await expectRefusal(page, 'b1', text);
  await page.keyboard.press('Escape');
  await page.getByTestId('refusal').waitFor({ state: 'detached' });
  await cell(page, 'g1').focus();
  for (const key of ['Enter', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await expectRefusal(page, 'g1', text);
  expect(await moves(page).count()).toBe(0);
});

test('in Vietnamese, on a phone', async () => {
  const { page } = await env.open(analysis('cotulenh', HEADQUARTERS), PHONE, (page) =>
    storeSettings(page, { language: 'vi' }),
  );
  await cell(page, 'e5').tap();
  await expectRefusal(page, 'e5', 'Sở chỉ huy chỉ đi được khi đã thành anh hùng');
});

test('an enemy figure and a unit of Tribun', async () => {
  const { page } = await env.open(analysis('tribun', 'black:a1=1*,f6=3 white:k11=1*,a6=2 b -'));
  await cell(page, 'a6').click();
  await expectRefusal(page, 'a6', "This belongs to White, and it is Black's turn");
  await cell(page, 'f6').click();
  await cell(page, 'k8').click();
  await page.getByTestId('refusal').waitFor();
});
