// The lobby, public games, chat, absence and lost connections between two people.

import { expect, test } from 'vitest';
import type { Link } from '../src/lib/types';
import { expectAccessible } from './axe';
import { PHONE, storeSettings } from './browser';
import { expectConnectionErrors, setUpEnvironment } from './environment';
import { asGuest, button, exchange, newSharedGame, openGame, startMatch, status } from './guests';
import { cell, openLab } from './helpers';
import { layoutShifts, watchShifts } from './shifts';

const env = setUpEnvironment(['--seats', '--abandon-after', '4']);

test('a challenge in the lobby is joined by someone else, and others watch a public game', async () => {
  const host = await env.open('#/lobby');
  await host.page.getByText('No open challenges at the moment.').waitFor();
  await host.page.getByLabel('Your name').fill('Lan');
  await host.page.getByRole('link', { name: 'Create challenge' }).click();
  await host.page.getByText('Tribun', { exact: true }).click();
  await host.page.getByLabel('Time control').selectOption('Custom');
  await host.page.getByLabel('Delay in seconds').fill('5');
  await host.page.getByLabel('Game limit in minutes').fill('30');
  await host.page.getByLabel('Anyone can watch').check();
  await button(host.page, 'Create challenge').click();
  await host.page.getByRole('heading', { name: 'Your challenge is in the lobby' }).waitFor();

  const guest = await env.open('#/lobby');
  const challenge = guest.page.getByTestId('challenges').locator('li');
  await challenge.getByText('5 min + 3 s, 5 s delay, 30 min game limit').waitFor();
  await challenge.getByText('Lan').waitFor();
  await challenge.getByText('You play White').waitFor();
  await expectAccessible(guest.page);
  // One's own challenge cannot be joined.
  const again = await host.page.context().newPage();
  await again.goto(new URL('#/lobby', env.url).href);
  await again.getByRole('link', { name: 'Your challenge' }).waitFor();
  await again.close();

  await button(guest.page, 'Join').click();
  await status(guest.page).getByText('Black to move').waitFor();
  await status(host.page).getByText('Black to move').waitFor();
  await guest.page.getByRole('timer', { name: 'Time left in the game' }).waitFor();
  const watcher = await env.open('#/lobby');
  await watcher.page.getByText('No open challenges at the moment.').waitFor();
  await watcher.page.getByTestId('public-games').getByRole('link', { name: 'Watch' }).click();
  await watcher.page.getByTestId('watching').waitFor();
});

test('players write to each other; an unread message is marked and announced', async () => {
  const { host, guest } = await startMatch(env, { chat: true });
  const chat = (tab: typeof host) => tab.page.getByTestId('chat');
  await chat(guest).locator('summary').click();
  await chat(host).getByLabel('Type a message').fill('Good luck!');
  await host.page.keyboard.press('Enter');
  await chat(host).getByText('Lan: Good luck!').waitFor();
  // The message may arrive before the response that clears the field.
  await expect.poll(() => chat(host).getByLabel('Type a message').inputValue()).toBe('');
  await chat(guest).getByText('New: 1').waitFor();
  await expect
    .poll(() => guest.page.getByTestId('chat-announcement').innerText())
    .toBe('Lan says: Good luck!');
  await chat(guest).locator('summary').click();
  await chat(guest).getByText('Lan: Good luck!').waitFor();
  // The browser reports that the chat was opened a moment after it shows the messages.
  await chat(guest).getByText('New: 1').waitFor({ state: 'detached' });
  await chat(guest).getByLabel('Type a message').fill('<b>You too</b>');
  await button(guest.page, 'Send').click();
  await chat(host).getByText('Minh: <b>You too</b>').waitFor();
  // Messages stay after a reload.
  await host.page.reload();
  await chat(host).getByText('Lan: Good luck!').waitFor();
  await expectAccessible(host.page);
});

test('without the chat switch there is no chat', async () => {
  const { host } = await startMatch(env, { chat: false });
  expect(await host.page.getByTestId('chat').count()).toBe(0);
});

test('both players continue after the server was killed', async () => {
  const { host, guest } = await startMatch(env, { clock: { initial: 60_000, increment: 0 } });
  await exchange(host.page, guest.page, 'e2', 'e4');
  await env.server.kill();
  for (const { page } of [host, guest]) await page.getByTestId('disconnected').waitFor();
  await env.server.restart();
  for (const { page } of [host, guest]) await page.getByTestId('disconnected').waitFor({ state: 'detached' });
  await exchange(guest.page, host.page, 'e7', 'e5');
  await exchange(host.page, guest.page, 'g1', 'f3');
  for (const { errors } of [host, guest]) expectConnectionErrors(errors);
});

test('a player who was offline sees the moves made meanwhile', async () => {
  let isOffline = false;
  const connections = new Set<() => void>();
  const { host, guest } = await startMatch(env, {}, 'first', (page) =>
    page.routeWebSocket(/\/api\/games\//, (socket) => {
      if (isOffline) return void socket.close();
      const server = socket.connectToServer();
      // Going offline does not cut sockets that are open.
      connections.add(() => {
        void server.close();
        void socket.close();
      });
    }),
  );
  await exchange(host.page, guest.page, 'e2', 'e4');
  await exchange(guest.page, host.page, 'e7', 'e5');
  isOffline = true;
  await guest.page.context().setOffline(true);
  for (const cut of connections) cut();
  await guest.page.getByTestId('disconnected').waitFor();
  const offline = host.page.getByRole('img', { name: 'Offline' });
  await offline.waitFor();
  await cell(host.page, 'g1').click();
  await cell(host.page, 'f3').click();
  await status(host.page).getByText('Black to move').waitFor();
  expect(await cell(guest.page, 'f3').getAttribute('aria-label')).toContain('empty');
  isOffline = false;
  await guest.page.context().setOffline(false);
  await guest.page.getByTestId('disconnected').waitFor({ state: 'detached' });
  await expect.poll(() => cell(guest.page, 'f3').getAttribute('aria-label')).toContain('white Knight');
  await offline.waitFor({ state: 'detached' });
  await exchange(guest.page, host.page, 'b8', 'c6');
  expectConnectionErrors(guest.errors);
});

test('the win is claimed when the opponent has been gone long enough', async () => {
  const { host, guest } = await startMatch(env);
  await exchange(host.page, guest.page, 'e2', 'e4');
  await exchange(guest.page, host.page, 'e7', 'e5');
  await guest.page.evaluate(() => (location.hash = '#/lobby'));
  await host.page.getByText(/Black left the game. You can claim victory in \d+ s\./).waitFor();
  await button(host.page, 'Claim victory').click();
  await status(host.page).getByText('White won: abandonment.').waitFor();
});

test('lobby, invitation and shared game are accessible, light and dark', async () => {
  const { host } = await startMatch(env, { chat: true, clock: { initial: 60_000, increment: 0 } });
  await openLab(host.page);
  for (const summary of await host.page.locator('summary').all())
    if (!(await summary.evaluate((element) => element.closest('details')?.open))) await summary.click();
  await expectAccessible(host.page);
  const waiting = await env.open('#/lobby', { colorScheme: 'light' });
  const { id } = await newSharedGame(waiting.page);
  await openGame(waiting.page, id);
  await waiting.page.getByLabel('Invitation link', { exact: true }).waitFor();
  await expectAccessible(waiting.page);
  const { token } = await asGuest<{ token: string }>(waiting.page, `games/${id}/invitation`, {});
  const invited = await env.open(`#/join/${id}/${token}`, { colorScheme: 'light' });
  await button(invited.page, 'Accept and play').waitFor();
  await expectAccessible(invited.page);
});

test('a notification reports the turn to a player who does not see the page', async () => {
  const { host, guest } = await startMatch(env);
  // Without permission, the setting stays off.
  await host.page.getByRole('button', { name: 'Settings' }).click();
  const setting = host.page.getByLabel('Notify me when it is my turn');
  await setting.click();
  await host.page.getByText('Notifications are blocked.').waitFor();
  expect(await setting.isChecked()).toBe(false);

  await guest.page.evaluate(() => {
    const shown: string[] = [];
    class Fake {
      static permission = 'granted';
      static requestPermission = () => Promise.resolve('granted');
      constructor(title: string, { body }: { body: string }) {
        shown.push(`${title}: ${body}`);
      }
    }
    Object.assign(window, { Notification: Fake, shown });
    Object.defineProperty(document, 'hidden', { get: () => true });
  });
  await guest.page.getByRole('button', { name: 'Settings' }).click();
  await guest.page.getByLabel('Notify me when it is my turn').click();
  await exchange(host.page, guest.page, 'e2', 'e4');
  await expect
    .poll(() => guest.page.evaluate(() => (window as unknown as { shown: string[] }).shown))
    .toEqual(['Your turn: Chess: e4']);
});

test.each(['en', 'vi'])('an invitation is readable on a phone (%s)', async (language) => {
  const host = await env.open('#/lobby');
  const game = { kind: 'cotulenh', clock: { initial: 300_000, increment: 3000 } };
  const { id } = await newSharedGame(host.page, game);
  const { token } = await asGuest<Link>(host.page, `games/${id}/invitation`, {});
  const { page } = await env.open(`#/join/${id}/${token}`, PHONE, (page) =>
    storeSettings(page, { language }),
  );
  await page.getByTestId('join').waitFor();
  const lines = await page.locator('dd').evaluateAll((values) =>
    values.map((value) => {
      const text = document.createRange();
      text.selectNodeContents(value);
      return text.getClientRects().length;
    }),
  );
  expect(lines).toEqual([1, 1, 1, 1, 1]);
});

test.each([390, 360])('all links of the header are visible on a phone of %i pixels', async (width) => {
  const heights: number[] = [];
  for (const language of ['en', 'vi']) {
    const { page } = await env.open('#/lobby', { ...PHONE, viewport: { width, height: 780 } }, (page) =>
      storeSettings(page, { language }),
    );
    await page.locator('nav a').nth(5).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language);
    const ends = await page
      .locator('nav a')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().right));
    expect(Math.max(...ends), language).toBeLessThanOrEqual(width);
    const nav = await page.locator('nav').evaluate((nav) => nav.scrollWidth - nav.clientWidth);
    expect(nav, language).toBe(0);
    heights.push(await page.locator('header').evaluate((header) => header.clientHeight));
  }
  expect(heights[0]).toBe(heights[1]);
});

test.each([
  { width: 1280, height: 720 },
  { width: 390, height: 664 },
])('open and public games have thumbnails, which move nothing: %o', async (viewport) => {
  const { host, guest } = await startMatch(env, { public: true });
  await exchange(host.page, guest.page, 'e2', 'e4');
  const waiting = await env.open('#/lobby');
  const { id } = await newSharedGame(waiting.page, { kind: 'tribun', lobby: true });
  await openGame(waiting.page, id);

  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { page } = await env.open('#/lobby', { viewport }, (page) =>
    page.route('**/api/position', async (route) => {
      await released;
      await route.continue();
    }),
  );
  const challenge = page.getByTestId('challenges').locator('li').filter({ hasText: 'Tribun' });
  const watched = page.getByTestId('public-games').locator('li').first();
  await challenge.waitFor();
  await watched.waitFor();
  expect(await page.locator('.thumbnail svg').count()).toBe(0);
  await watchShifts(page);
  const boxes = () => Promise.all([challenge, watched].map((row) => row.boundingBox()));
  const before = await boxes();
  release();
  await challenge.locator('.thumbnail svg').waitFor();
  await watched.scrollIntoViewIfNeeded();
  await watched.locator('.thumbnail svg').waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(await boxes()).toEqual(before);
  expect(await layoutShifts(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);

  // The next refresh shows the next position.
  const picture = await watched.locator('.thumbnail').innerHTML();
  await exchange(guest.page, host.page, 'e7', 'e5');
  await expect.poll(() => watched.locator('.thumbnail').innerHTML()).not.toBe(picture);
  expect(await layoutShifts(page)).toEqual([]);
});
