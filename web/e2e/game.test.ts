// Games on the server: clocks, resignation, draw offers, several tabs and lost connections.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { countEffects, effectCounts, storeSettings, type Page } from './browser';
import { cell, openLab, request } from './helpers';
import { expectConnectionErrors, expectErrorResponses, serverTest, setUpEnvironment } from './environment';

const env = setUpEnvironment();

const newGame = (options: object = {}) => request<Game>(env.url, 'games', { kind: 'chess', ...options });

async function playMove(page: Page, from: string, to: string): Promise<void> {
  await cell(page, from).click();
  await cell(page, to).click();
}

async function offerDraw(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Offer draw' }).click();
  await page.getByRole('button', { name: 'Yes, offer a draw' }).click();
}

const expectAnnouncement = (page: Page, text: string) =>
  expect.poll(() => page.getByTestId('announcement').innerText()).toBe(text);

test('the clock of the side to move runs until the flag falls', async () => {
  const game = await newGame({ clock: { initial: 1500, increment: 0 } });
  const { page } = await env.open(`#/game/${game.id}`);
  const clock = (player: string) => page.getByRole('timer', { name: `${player} clock` });
  await clock('Black').waitFor();
  expect(await clock('Black').innerText()).toBe('0:01.5');
  // Records every time that the clock shows.
  const shown = await clock('Black').evaluateHandle((timer) => {
    const texts: string[] = [];
    new MutationObserver(() => texts.push(timer.textContent ?? '')).observe(timer, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    return texts;
  });
  await playMove(page, 'e2', 'e4');
  await expectAnnouncement(page, 'White won: time out.');
  await expect.poll(() => page.getByTestId('status').innerText()).toBe('White won: time out.');
  const times = await shown.jsonValue();
  expect(times.length).toBeGreaterThan(2);
  expect(times).toEqual([...times].sort().reverse());
  await expect.poll(() => clock('Black').innerText()).toBe('0:00.0');
  expect(await clock('White').innerText()).toBe('0:01.5');
});

test('announces a resignation with a sound in every tab that was used', async () => {
  const game = await newGame();
  const listen = async (page: Page) => {
    await storeSettings(page, { sound: true });
    await countEffects(page);
  };
  const one = await env.open(`#/game/${game.id}`, {}, listen);
  const other = await env.open(`#/game/${game.id}`, {}, listen);
  await other.page.getByText('White to move').waitFor();
  await other.page.mouse.click(2, 2);
  // The test runner counts as a user, so the page is told that there was none.
  const unused = await env.open(`#/game/${game.id}`, {}, async (page) => {
    await listen(page);
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } }),
    );
  });
  await unused.page.getByText('White to move').waitFor();
  await one.page.getByRole('button', { name: 'Resign', exact: true }).click();
  await one.page.getByRole('button', { name: 'Yes, resign' }).click();
  for (const { page } of [one, other]) {
    await expectAnnouncement(page, 'Black won: resignation.');
    await expect.poll(async () => (await effectCounts(page)).notes).toBe(3);
  }
  // Browsers would save the notes for the first click.
  await expectAnnouncement(unused.page, 'Black won: resignation.');
  expect((await effectCounts(unused.page)).notes).toBe(0);
});

serverTest('a double click or double Enter sends one request', async () => {
  const game = await newGame();
  const requests: string[] = [];
  let respond = (): void => undefined;
  const { page } = await env.open(`#/game/${game.id}`, {}, (page) =>
    page.route(/\/(moves|undo)$/, async (route) => {
      requests.push(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
      await new Promise<void>((resolve) => (respond = resolve));
      await route.continue();
    }),
  );
  await openLab(page);
  await page.getByLabel('Type a move').fill('e4');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect.poll(() => requests).toEqual(['moves']);
  respond();
  await page.getByText('Black to move').waitFor();
  await page.getByRole('button', { name: 'Take back' }).dblclick();
  await expect.poll(() => requests).toEqual(['moves', 'undo']);
  respond();
  await expectAnnouncement(page, 'Move taken back. White to move');
});

test('cancels the resign confirmation when the turn changes', async () => {
  const game = await newGame();
  const { page } = await env.open(`#/game/${game.id}`);
  const confirm = page.getByRole('button', { name: 'Yes, resign' });
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.getByRole('button', { name: 'Resign', exact: true }).click();
  await expect.poll(focused).toBe('Yes, resign');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(focused).toBe('Resign');
  await page.keyboard.press('Enter');
  await confirm.waitFor();
  await playMove(page, 'e2', 'e4');
  await page.getByText('Black to move').waitFor();
  expect(await confirm.count()).toBe(0);
  await page.getByRole('button', { name: 'Resign', exact: true }).click();
  await confirm.click();
  await expect.poll(focused).toBe('White won: resignation.');
});

test('updates the record when a game ends by agreement', async () => {
  const game = await newGame();
  const { page } = await env.open(`#/game/${game.id}`);
  await openLab(page);
  await page.getByText('Import and export').click();
  const record = () => page.getByLabel('Game record', { exact: true }).inputValue();
  await expect.poll(record).toContain('[Result "*"]');
  await page.getByTestId('share').getByRole('button', { name: 'Copy' }).last().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await offerDraw(page);
  await page.getByRole('button', { name: 'Accept draw' }).click();
  await expect.poll(record).toContain('[Result "1/2-1/2"]');
  // The copied text is out of date.
  expect(await page.getByRole('button', { name: 'Copied' }).count()).toBe(0);
});

test('announces a draw offer, its decline and its acceptance', async () => {
  const game = await newGame();
  const { page } = await env.open(`#/game/${game.id}`);
  await offerDraw(page);
  await expectAnnouncement(page, 'White offers a draw.');
  await page.getByRole('button', { name: 'Decline draw' }).click();
  await expectAnnouncement(page, 'Black declines the draw.');
  await page.getByTestId('side').getByText('Black declines the draw.').waitFor();
  await playMove(page, 'e2', 'e4');
  await expectAnnouncement(page, 'White: e4');
  await expect.poll(() => page.getByText('declines the draw').count()).toBe(0);
  await offerDraw(page);
  await expectAnnouncement(page, 'Black offers a draw.');
  await page.getByRole('button', { name: 'Accept draw' }).click();
  await expectAnnouncement(page, 'Draw: agreement.');
});

serverTest('a stale tab shows the latest position after a conflict', async () => {
  const game = await newGame();
  const one = await env.open(`#/game/${game.id}`);
  // The other tab's socket connects but receives nothing.
  const other = await env.open(`#/game/${game.id}`, {}, (page) =>
    page.routeWebSocket(/\/api\/games\//, () => undefined),
  );
  await other.page.getByText('White to move').waitFor();
  await playMove(one.page, 'e2', 'e4');
  await one.page.getByText('Black to move').waitFor();
  await playMove(other.page, 'd2', 'd4');
  await other.page.getByRole('alert').getByText('The game changed in another window.').waitFor();
  await other.page.getByText('Black to move').waitFor();
  await expect.poll(() => cell(other.page, 'e4').getAttribute('aria-label')).toBe('e4, light, white Pawn');
  await expect.poll(() => cell(other.page, 'd4').getAttribute('aria-label')).toBe('d4, dark, empty');
  await expectErrorResponses(other.errors, 409, 1);
  // The game continues from there.
  await playMove(other.page, 'e7', 'e5');
  await one.page.getByText('White to move').waitFor();
});

serverTest('reports a game deleted while disconnected', async () => {
  const game = await newGame();
  let cut = (): void => undefined;
  let isCut = false;
  const { page, errors } = await env.open(`#/game/${game.id}`, {}, async (page) => {
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
  await page.getByTestId('disconnected').waitFor({ state: 'detached' });
  cut();
  await page.getByTestId('disconnected').waitFor();
  expect((await fetch(`${env.url}api/games/${game.id}`, { method: 'DELETE' })).status).toBe(204);
  isCut = false;
  await page.getByText('This game no longer exists.').waitFor();
  await page.getByTestId('disconnected').waitFor({ state: 'detached' });
  expectConnectionErrors(errors);
});

serverTest('a game and its clock continue after the server was killed', async () => {
  const game = await newGame({ clock: { initial: 25_000, increment: 0 } });
  const { page, errors } = await env.open(`#/game/${game.id}`);
  const clock = page.getByRole('timer', { name: 'Black clock' });
  const seconds = async () => Number((await clock.innerText()).replace('0:', ''));
  await cell(page, 'e2').click();
  await cell(page, 'e4').click();
  await page.getByText('Black to move').waitFor();
  // On a busy machine some seconds pass before the server is killed.
  await env.server.kill();
  await page.getByTestId('disconnected').waitFor();
  // The page cannot know that the server's clock has stopped.
  await expect.poll(seconds).toBeLessThan(17);
  await env.server.restart();
  await page.getByTestId('disconnected').waitFor({ state: 'detached' });
  await expect.poll(seconds).toBeGreaterThan(17);
  await cell(page, 'e7').click();
  await cell(page, 'e5').click();
  await page.getByText('White to move').waitFor();
  const now = await request<Game>(env.url, `games/${game.id}`);
  expect(now.view.moves_played.map((move) => move.text)).toEqual(['e2e4', 'e7e5']);
  expectConnectionErrors(errors);
});

test('there is nothing to take back before the player has moved', async () => {
  const game = await newGame({ seats: { first: { type: 'engine', level: 0 }, second: { type: 'human' } } });
  const { page } = await env.open(`#/game/${game.id}`);
  await page.getByText('Black to move').waitFor();
  const takeBack = page.getByRole('button', { name: 'Take back' });
  await expect.poll(() => takeBack.isDisabled()).toBe(true);
  await playMove(page, 'e7', 'e5');
  await expect.poll(() => takeBack.isEnabled()).toBe(true);
  await page.getByText('Black to move').waitFor();
  await takeBack.click();
  await expect.poll(() => takeBack.isDisabled()).toBe(true);
});
