// A game that the server keeps: clocks, ends without a move, two tabs, a connection that is cut.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { count, counted, prefer, type Page } from './browser';
import { ask, cell } from './player';
import { forgive, forgiveCut, world } from './setup';

const there = world();

const begin = (more: object = {}) => ask<Game>(there.url, 'games', { kind: 'chess', ...more });

async function go(page: Page, from: string, to: string): Promise<void> {
  await cell(page, from).click();
  await cell(page, to).click();
}

const heard = (page: Page, text: string) =>
  expect.poll(() => page.getByTestId('announcement').innerText()).toBe(text);

test('a clock runs for whoever is to move, and its flag falls', async () => {
  const game = await begin({ clock: { initial: 1500, increment: 0 } });
  const { page } = await there.open(`#/game/${game.id}`);
  const clock = (player: string) => page.getByRole('timer', { name: `Time of ${player}` });
  await clock('Black').waitFor();
  expect(await clock('Black').innerText()).toBe('0:01.5');
  // Every time that the clock has shown.
  const shown = await clock('Black').evaluateHandle((timer) => {
    const texts: string[] = [];
    new MutationObserver(() => texts.push(timer.textContent ?? '')).observe(timer, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    return texts;
  });
  await go(page, 'e2', 'e4');
  await heard(page, 'White has won: out of time.');
  await expect.poll(() => page.getByTestId('status').innerText()).toBe('White has won: out of time.');
  const times = await shown.jsonValue();
  expect(times.length).toBeGreaterThan(2);
  expect(times).toEqual([...times].sort().reverse());
  await expect.poll(() => clock('Black').innerText()).toBe('0:00.0');
  expect(await clock('White').innerText()).toBe('0:01.5');
});

test('a resignation is announced and sounded wherever the game is open', async () => {
  const game = await begin();
  const listen = async (page: Page) => {
    await prefer(page, { sound: true });
    await count(page);
  };
  const one = await there.open(`#/game/${game.id}`, {}, listen);
  const other = await there.open(`#/game/${game.id}`, {}, listen);
  await other.page.getByText('White to move').waitFor();
  await one.page.getByRole('button', { name: 'Resign', exact: true }).click();
  await one.page.getByRole('button', { name: 'Resign this game?' }).click();
  for (const { page } of [one, other]) {
    await heard(page, 'Black has won: resignation.');
    await expect.poll(async () => (await counted(page)).notes).toBe(3);
  }
});

test('what is clicked twice is asked for once', async () => {
  const game = await begin();
  const asked: string[] = [];
  let answer = (): void => undefined;
  const { page } = await there.open(`#/game/${game.id}`, {}, (page) =>
    page.route(/\/(moves|undo)$/, async (route) => {
      asked.push(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
      await new Promise<void>((resolve) => (answer = resolve));
      await route.continue();
    }),
  );
  await page.getByLabel('Type a move').fill('e4');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect.poll(() => asked).toEqual(['moves']);
  answer();
  await page.getByText('Black to move').waitFor();
  await page.getByRole('button', { name: 'Take back' }).dblclick();
  await expect.poll(() => asked).toEqual(['moves', 'undo']);
  answer();
  await heard(page, 'Taken back. White to move');
});

test('the question whether to resign is for whoever was asked', async () => {
  const game = await begin();
  const { page } = await there.open(`#/game/${game.id}`);
  const sure = page.getByRole('button', { name: 'Resign this game?' });
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.getByRole('button', { name: 'Resign', exact: true }).click();
  await expect.poll(focused).toBe('Resign this game?');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(focused).toBe('Resign');
  await page.keyboard.press('Enter');
  await sure.waitFor();
  await go(page, 'e2', 'e4');
  await page.getByText('Black to move').waitFor();
  expect(await sure.count()).toBe(0);
  await page.getByRole('button', { name: 'Resign', exact: true }).click();
  await sure.click();
  await expect.poll(focused).toBe('White has won: resignation.');
});

test('the record says how a game ended without a move', async () => {
  const game = await begin();
  const { page } = await there.open(`#/game/${game.id}`);
  await page.getByText('Import and export').click();
  const record = () => page.getByLabel('Record').inputValue();
  await expect.poll(record).toContain('[Result "*"]');
  await page.getByTestId('share').getByRole('button', { name: 'Copy' }).last().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await page.getByRole('button', { name: 'Accept the draw' }).click();
  await expect.poll(record).toContain('[Result "1/2-1/2"]');
  // What was copied is no longer what is there.
  expect(await page.getByRole('button', { name: 'Copied' }).count()).toBe(0);
});

test('draw offers are announced: made, declined, accepted', async () => {
  const game = await begin();
  const { page } = await there.open(`#/game/${game.id}`);
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await heard(page, 'White offers a draw.');
  await page.getByRole('button', { name: 'Decline' }).click();
  await heard(page, 'The draw offer is no longer open.');
  await page.getByTestId('side').getByText('The draw offer is no longer open.').waitFor();
  await go(page, 'e2', 'e4');
  await heard(page, 'White: e4');
  await expect.poll(() => page.getByText('no longer open').count()).toBe(0);
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await heard(page, 'Black offers a draw.');
  await page.getByRole('button', { name: 'Accept the draw' }).click();
  await heard(page, 'Drawn: agreement.');
});

test('who has not heard that the game went on is shown how it stands', async () => {
  const game = await begin();
  const one = await there.open(`#/game/${game.id}`);
  // The other tab's socket opens and stays silent.
  const other = await there.open(`#/game/${game.id}`, {}, (page) =>
    page.routeWebSocket(/\/api\/games\//, () => undefined),
  );
  await other.page.getByText('White to move').waitFor();
  await go(one.page, 'e2', 'e4');
  await one.page.getByText('Black to move').waitFor();
  await go(other.page, 'd2', 'd4');
  await other.page.getByRole('alert').getByText('The game has gone on elsewhere.').waitFor();
  await other.page.getByText('Black to move').waitFor();
  await expect.poll(() => cell(other.page, 'e4').getAttribute('aria-label')).toBe('e4, light, white Pawn');
  await expect.poll(() => cell(other.page, 'd4').getAttribute('aria-label')).toBe('d4, dark, empty');
  await forgive(other.faults, 409, 1);
  // It goes on from there.
  await go(other.page, 'e7', 'e5');
  await one.page.getByText('White to move').waitFor();
});

test('a game that is deleted while the page is cut off is said to be gone', async () => {
  const game = await begin();
  let cut = (): void => undefined;
  let isCut = false;
  const { page, faults } = await there.open(`#/game/${game.id}`, {}, async (page) => {
    await page.routeWebSocket(/\/api\/games\//, (socket) => {
      if (isCut) {
        void socket.close();
        return;
      }
      const server = socket.connectToServer();
      cut = () => {
        isCut = true;
        void server.close();
        void socket.close();
      };
    });
    await page.route(/\/api\/games\//, (route) => (isCut ? route.abort() : route.continue()));
  });
  await page.getByText('White to move').waitFor();
  await page.getByTestId('lost').waitFor({ state: 'detached' });
  cut();
  await page.getByTestId('lost').waitFor();
  expect((await fetch(`${there.url}api/games/${game.id}`, { method: 'DELETE' })).status).toBe(204);
  isCut = false;
  await page.getByText('This game no longer exists.').waitFor();
  await page.getByTestId('lost').waitFor({ state: 'detached' });
  forgiveCut(faults);
});

test('a game goes on after the server was killed, and its clock with it', async () => {
  const game = await begin({ clock: { initial: 15_000, increment: 0 } });
  const { page, faults } = await there.open(`#/game/${game.id}`);
  const clock = page.getByRole('timer', { name: 'Time of Black' });
  const seconds = async () => Number((await clock.innerText()).replace('0:', ''));
  await cell(page, 'e2').click();
  await cell(page, 'e4').click();
  await page.getByText('Black to move').waitFor();
  await there.server.kill();
  await page.getByTestId('lost').waitFor();
  // The page cannot know that nobody counts.
  await expect.poll(seconds).toBeLessThan(13);
  await there.server.restart();
  await page.getByTestId('lost').waitFor({ state: 'detached' });
  await expect.poll(seconds).toBeGreaterThan(13);
  await cell(page, 'e7').click();
  await cell(page, 'e5').click();
  await page.getByText('White to move').waitFor();
  const now = await ask<Game>(there.url, `games/${game.id}`);
  expect(now.view.history.map((move) => move.text)).toEqual(['e2e4', 'e7e5']);
  forgiveCut(faults);
});
