// Lessons: every one is solved on the board, its mistakes are answered, and progress is kept.

import { expect, test } from 'vitest';
import { loadLessons, stepRequest, turnMoves, type Lesson } from '../src/lib/learn/lessons';
import type { View } from '../src/lib/types';
import { expectAccessible } from './axe';
import { PHONE, storeSettings, type Page } from './browser';
import { cases } from './coverage';
import { cell, play, request, selectSquare, tabTo } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const feedback = (page: Page, state: 'open' | 'solved' | 'wrong') =>
  page.locator(`[data-testid=feedback][data-state=${state}]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, { title }: Lesson, language: 'en' | 'vi' = 'en') =>
  page.getByTestId('lesson').getByRole('heading', { name: title[language], exact: true });

/** Plays a turn in a step, move by move. */
async function playTurn(page: Page, kind: string, lesson: Lesson, step: number, turn: string): Promise<void> {
  const { moves = [], ...start } = stepRequest(kind, lesson, step);
  const played = [...moves];
  for (const text of turnMoves(turn)) {
    const view = await request<View>(env.url, 'position', { ...start, moves: played });
    const move = view.legal_moves.find((legal) => legal.text === text)!;
    await play(page, view, move);
    await expect.poll(() => page.getByTestId('announcement').innerText()).toContain(`: ${move.san}`);
    played.push(text);
  }
}

// The Rust tests play every lesson by the rules.
test.each(cases(['chess', 'cotulenh', 'tribun'], (kind) => kind === 'chess'))(
  'every lesson of %s can be solved, and the first mistake of each step is answered',
  async (kind) => {
    const lessons = await loadLessons(kind);
    const { page } = await env.open(`#/learn/${kind}`, {}, (page) => storeSettings(page, {}));
    for (const [number, lesson] of lessons.entries()) {
      await heading(page, lesson).waitFor();
      for (const [i, step] of lesson.steps.entries()) {
        const { length } = lesson.steps;
        await page
          .getByText(`Lesson ${number + 1} of ${lessons.length}, step ${i + 1} of ${length}`)
          .waitFor();
        const mistake = step.mistakes[0]!;
        await playTurn(page, kind, lesson, i, mistake.turn);
        await feedback(page, 'wrong').getByText(mistake.answer.en, { exact: true }).waitFor();
        await button(page, 'Retry').click();
        await feedback(page, 'open').waitFor();
        await playTurn(page, kind, lesson, i, step.solution);
        await feedback(page, 'solved').getByText(step.done.en).waitFor();
        if (i < length - 1) await button(page, 'Continue').click();
      }
      if (number < lessons.length - 1) await button(page, 'Next lesson').click();
    }
    await page.getByText('You have finished all lessons of').waitFor();
    await page.getByTestId('feedback').getByRole('link', { name: 'All lessons' }).click();
    // The progress survives a reload.
    await page.reload();
    await page.getByText(`${lessons.length} of ${lessons.length} lessons done`).waitFor();
    expect(await page.getByRole('img', { name: 'Done' }).count()).toBe(lessons.length);
  },
);

test('an unnamed mistake has an answer, hints lead to the solution, and a lesson can be skipped', async () => {
  const [first, second] = await loadLessons('tribun');
  const { page } = await env.open('#/learn/tribun');
  await heading(page, first!).waitFor();
  expect(await button(page, 'Previous lesson').isDisabled()).toBe(true);
  await playTurn(page, 'tribun', first!, 0, 'a1-b1');
  await feedback(page, 'wrong').getByText('it does not reach the goal').waitFor();
  await cell(page, 'f6').click();
  await page.getByTestId('refusal').getByText('Press Retry to try again').waitFor();
  // Stepping back is another way to try again.
  await page.keyboard.press(',');
  await feedback(page, 'open').waitFor();
  const { hints } = first!.steps[0]!;
  for (const hint of hints) {
    await button(page, 'Hint').click();
    await page.getByText(hint.text.en).waitFor();
    expect(await page.locator('.shapes .ring').count()).toBe(hint.cells?.length ?? 0);
  }
  await button(page, 'Hint').click();
  await page.getByText('Play f6-g7.').waitFor();
  expect(await page.locator('.shapes .shaft').count()).toBe(1);
  await button(page, 'Next lesson').click();
  await heading(page, second!).waitFor();
  await button(page, 'Previous lesson').click();
  await heading(page, first!).waitFor();
});

test('a lesson is opened, tried, solved and continued with the keyboard alone', async () => {
  const { page } = await env.open('');
  await page.getByText('Choose a game').waitFor();
  await tabTo(page, /^Learn in three minutes$/);
  await page.keyboard.press('Enter');
  await feedback(page, 'open').waitFor();
  // The task is announced.
  await expect
    .poll(() => page.getByTestId('announcement').innerText())
    .toContain('Move the pawn from e2 to e4.');
  await tabTo(page, /^[a-h][1-8], /);
  await selectSquare(page, 'e2');
  await selectSquare(page, 'e3');
  await feedback(page, 'wrong').waitFor();
  await tabTo(page, /^Retry$/);
  await page.keyboard.press('Enter');
  // The focus is on the board again.
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-cell'))).toBe(true);
  await selectSquare(page, 'e2');
  await selectSquare(page, 'e4');
  await feedback(page, 'solved').waitFor();
  await tabTo(page, /^Continue$/);
  await page.keyboard.press('Enter');
  await feedback(page, 'open').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-cell'))).toBe(true);
  await selectSquare(page, 'g1');
  await selectSquare(page, 'f3');
  await feedback(page, 'solved').waitFor();
});

test.each([
  { width: 390, height: 780 },
  { width: 390, height: 664 },
  { width: 844, height: 390 },
])('at $width × $height, a lesson fits the phone, in Vietnamese', async (viewport) => {
  const [lesson] = await loadLessons('cotulenh');
  const { page } = await env.open('#/learn/cotulenh', { ...PHONE, viewport, colorScheme: 'light' }, (page) =>
    storeSettings(page, { language: 'vi' }),
  );
  await heading(page, lesson!, 'vi').waitFor();
  const step = lesson!.steps[0]!;
  const goal = page.locator('.goal');
  await goal.getByText(step.goal.text.vi).waitFor();
  const box = (await goal.boundingBox())!;
  expect(box.y + box.height).toBeLessThanOrEqual(viewport.height);
  for (const name of ['Bài trước', 'Gợi ý', 'Thử lại', 'Bài tiếp theo']) {
    const place = (await button(page, name).boundingBox())!;
    expect(place.y + place.height, name).toBeLessThanOrEqual(viewport.height);
    expect(Math.min(place.width, place.height), name).toBeGreaterThanOrEqual(44);
  }
  await cell(page, 'f5').tap();
  await cell(page, 'f6').tap();
  const answer = feedback(page, 'solved').getByText(step.done.vi);
  await answer.waitFor();
  const { y, height } = (await answer.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(viewport.height);
  await button(page, 'Tiếp tục').tap();
  await goal.getByText(lesson!.steps[1]!.goal.text.vi).waitFor();
  await button(page, 'Gợi ý').tap();
  await page.getByText(lesson!.steps[1]!.hints[0]!.text.vi).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
  await expectAccessible(page);
});

test.each([
  ['the list', '#/learn', 'ol li'],
  ['a lesson', '#/learn/tribun/enslave', '[data-cell]'],
])('%s is accessible, light and dark', async (_, path, content) => {
  const { page } = await env.open(path, { colorScheme: 'light' });
  await page.locator(content).first().waitFor();
  await expectAccessible(page);
});

test('a link to an unknown lesson or game says so', async () => {
  const { page } = await env.open('#/learn/chess/nowhere');
  await page.getByTestId('broken-link').getByText('Unknown lesson “nowhere”.').waitFor();
  await page.goto(`${env.url}#/learn/go`);
  await page.getByTestId('broken-link').getByText('Unknown game “go”.').waitFor();
});
