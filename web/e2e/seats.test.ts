// Two people with a browser each: invitation, play, offers, spectator, rematch, transfer.

import { expect, test } from 'vitest';
import type { Game, Link } from '../src/lib/types';
import { storeSettings, type Page } from './browser';
import { expectErrorResponses, setUpEnvironment } from './environment';
import { asGuest, button, exchange, newSharedGame, openGame, startMatch, status } from './guests';
import { cell, openLab } from './helpers';

const env = setUpEnvironment(['--seats']);

const announcement = (page: Page) => page.getByTestId('announcement').innerText();

test('a spectator sees how often a player asked for advice; two people get none', async () => {
  const [player, spectator] = await Promise.all([env.open('#/lobby'), env.open('#/lobby')]);
  const seats = { first: { type: 'human' }, second: { type: 'engine', level: 1 } };
  const { id } = await asGuest<Game>(player.page, 'games', { kind: 'chess', seats });
  await Promise.all([player, spectator].map(({ page }) => openGame(page, id)));
  expect(await button(spectator.page, 'Hint').count()).toBe(0);
  await button(player.page, 'Hint').click();
  await spectator.page.getByRole('img', { name: 'Hints: 1, threats shown: 0' }).waitFor();
  const match = await startMatch(env);
  expect(await button(match.host.page, 'Hint').count()).toBe(0);
  const advice = { player: 'first', kind: 'hint' };
  await expect(asGuest(match.host.page, `games/${match.id}/advice`, advice)).rejects.toThrow('403');
  await expectErrorResponses(match.host.errors, 403, 1);
});

test('a friend takes the seat with the invitation link, and both play to the end with clocks', async () => {
  const host = await env.open('');
  await host.page.getByLabel('Opponent').selectOption('A friend (invitation link)');
  await host.page.getByLabel('Play as').selectOption('Black');
  await host.page.getByLabel('Time control').selectOption('Custom');
  await host.page.getByLabel('Minutes per side').fill('2');
  await host.page.getByLabel('Increment in seconds').fill('1');
  await host.page.getByLabel('Your name').fill('Lan');
  await button(host.page, 'Create invitation').click();
  const field = host.page.getByLabel('Invitation link', { exact: true });
  await field.waitFor();
  await expect.poll(() => host.page.title()).toContain('Waiting for your opponent');
  // The name is kept, and the link survives a reload.
  const link = await field.inputValue();
  await host.page.reload();
  await field.waitFor();
  expect(await field.inputValue()).toBe(link);
  await button(host.page, 'Copy').click();
  await button(host.page, 'Copied').waitFor();
  expect(await host.page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  // Opening the link shows the offer and takes nothing.
  const guest = await env.open(new URL(link).hash);
  const offer = guest.page.getByTestId('join');
  await offer.getByText('2 min + 1 s').waitFor();
  await offer.getByText('Lan').waitFor();
  await offer.getByText('White', { exact: true }).waitFor();
  expect(await host.page.getByTestId('invitation').count()).toBe(1);
  await guest.page.getByLabel('Your name').fill('Minh');
  await button(guest.page, 'Accept and play').click();
  await status(guest.page).getByText('White to move').waitFor();
  await status(host.page).getByText('White to move').waitFor();
  await expect.poll(() => announcement(host.page)).toBe('White joined: Minh. White to move');
  await expect.poll(() => guest.page.title()).toContain('Your turn');
  await expect.poll(() => host.page.title()).not.toContain('Your turn');

  // Everyone's own side is at the bottom.
  const y = async (page: Page, name: string) => (await cell(page, name).boundingBox())?.y ?? 0;
  expect(await y(host.page, 'e8')).toBeGreaterThan(await y(host.page, 'e1'));
  expect(await y(guest.page, 'e1')).toBeGreaterThan(await y(guest.page, 'e8'));
  for (const { page } of [host, guest])
    for (const name of ['White – Minh', 'Black – Lan']) await page.getByText(name, { exact: true }).waitFor();

  // Out of turn, nothing can be selected.
  await cell(host.page, 'e7').click();
  expect(await cell(host.page, 'e7').getAttribute('aria-label')).not.toContain('selected');
  await exchange(guest.page, host.page, 'f2', 'f3');
  await expect.poll(() => host.page.title()).toContain('Your turn');
  await exchange(host.page, guest.page, 'e7', 'e5');
  await exchange(guest.page, host.page, 'g2', 'g4');
  await cell(host.page, 'd8').click();
  await cell(host.page, 'h4').click();
  for (const { page } of [host, guest]) await status(page).getByText('Black won: checkmate.').waitFor();
  const times = (page: Page) => page.getByRole('timer').allInnerTexts();
  expect((await times(guest.page)).every((time) => /^[12]:\d\d/.test(time))).toBe(true);
});

test('a used invitation says so and offers to watch, without buttons for spectators', async () => {
  const { id, host, guest } = await startMatch(env);
  const { token } = await newSharedGame(host.page).then((other) =>
    asGuest<Link>(host.page, `games/${other.id}/invitation`, {}),
  );
  // A link to another game's seat does not fit, and the seats of this one are taken.
  const third = await env.open(`#/join/${id}/${token}`);
  await third.page.getByText('This invitation has already been used.').waitFor();
  await third.page.getByRole('link', { name: 'Watch' }).click();
  await third.page.getByTestId('watching').waitFor();
  for (const name of ['Resign', 'Offer draw', 'Abort game', 'Propose a takeback', 'Play'])
    expect(await button(third.page, name).count()).toBe(0);
  await cell(third.page, 'e2').click();
  expect(await cell(third.page, 'e2').getAttribute('aria-label')).not.toContain('selected');
  await exchange(host.page, third.page, 'e2', 'e4');
  await exchange(guest.page, third.page, 'e7', 'e5');
  expect(await third.page.getByTestId('chat').count()).toBe(0);
  // Players who open the link again are sent to their game.
  await guest.page.evaluate((hash) => (location.hash = hash), `#/join/${id}/${token}`);
  await guest.page.getByText('You already play in this game.').waitFor();
});

test('two people cannot take the same seat', async () => {
  const host = await env.open('#/lobby');
  const { id } = await newSharedGame(host.page);
  const { token } = await asGuest<Link>(host.page, `games/${id}/invitation`, {});
  const [one, other] = await Promise.all([
    env.open(`#/join/${id}/${token}`),
    env.open(`#/join/${id}/${token}`),
  ]);
  await button(other.page, 'Accept and play').waitFor();
  await button(one.page, 'Accept and play').click();
  await status(one.page).waitFor();
  await button(other.page, 'Accept and play').click();
  await other.page.getByRole('link', { name: 'Watch' }).waitFor();
  await expect.poll(() => other.errors).toEqual([expect.stringMatching(/status of (403|409)/)]);
  other.errors.length = 0;
  // The host's own link leads back to the game.
  await host.page.evaluate((hash) => (location.hash = hash), `#/join/${id}/${token}`);
  await host.page.getByRole('link', { name: 'Open game' }).waitFor();
});

test('a take-back needs the consent of the opponent', async () => {
  const { host, guest } = await startMatch(env);
  await exchange(host.page, guest.page, 'e2', 'e4');
  await button(host.page, 'Propose a takeback').click();
  await expect.poll(() => announcement(guest.page)).toBe('White proposes a takeback.');
  await button(guest.page, 'Decline takeback').click();
  await expect.poll(() => announcement(host.page)).toBe('The takeback proposal is no longer open.');
  await button(host.page, 'Propose a takeback').click();
  await button(host.page, 'Cancel takeback').waitFor();
  await button(guest.page, 'Accept takeback').click();
  for (const { page } of [host, guest])
    await expect.poll(() => cell(page, 'e2').getAttribute('aria-label')).toContain('white Pawn');
  await expect.poll(() => announcement(guest.page)).toBe('Move taken back. White to move');
});

test('a draw is agreed, and the rematch has the colours swapped', async () => {
  const { id, host, guest } = await startMatch(env, { clock: { initial: 60_000, increment: 0 } });
  await exchange(host.page, guest.page, 'e2', 'e4');
  await exchange(guest.page, host.page, 'e7', 'e5');
  await button(guest.page, 'Offer draw').click();
  await button(guest.page, 'Yes, offer a draw').click();
  await button(guest.page, 'Withdraw offer').waitFor();
  await button(host.page, 'Accept draw').click();
  for (const { page } of [host, guest]) await status(page).getByText('Draw: agreement.').waitFor();
  expect(await button(host.page, 'Propose a takeback').count()).toBe(0);
  await guest.page.getByTestId('end-card').getByRole('button', { name: 'Offer rematch' }).click();
  await status(guest.page).getByText('White to move').waitFor();
  await expect.poll(() => announcement(host.page)).toBe('Black offers a rematch.');
  await host.page.getByTestId('end-card').getByRole('link', { name: 'Accept rematch' }).click();
  await host.page.getByText('Black – Lan', { exact: true }).waitFor();
  await guest.page.getByText('White – Minh', { exact: true }).waitFor();
  expect(new URL(host.page.url()).hash).toBe(new URL(guest.page.url()).hash);
  expect(host.page.url()).not.toContain(id);
  await exchange(guest.page, host.page, 'd2', 'd4');
});

test('a game is aborted before the second move, and resigned after it', async () => {
  const { id, host, guest } = await startMatch(env);
  await exchange(host.page, guest.page, 'e2', 'e4');
  expect(await button(guest.page, 'Resign').count()).toBe(0);
  await button(guest.page, 'Abort game').click();
  await button(guest.page, 'Yes, abort').click();
  for (const { page } of [host, guest]) await page.getByText('The game was aborted.').waitFor();
  // Only the spectator asks the server for the game that is gone.
  const third = await env.open(`#/game/${id}`);
  await third.page.getByText('This game no longer exists.').waitFor();
  await expectErrorResponses(third.errors, 404, 1);

  const next = await startMatch(env, {}, 'second');
  await exchange(next.guest.page, next.host.page, 'e2', 'e4');
  await exchange(next.host.page, next.guest.page, 'e7', 'e5');
  expect(await button(next.host.page, 'Abort game').count()).toBe(0);
  await button(next.host.page, 'Resign').click();
  await button(next.host.page, 'Yes, resign').click();
  await status(next.guest.page).getByText('White won: resignation.').waitFor();
});

test('an invitation is cancelled', async () => {
  const host = await env.open('#/lobby');
  const { id } = await newSharedGame(host.page);
  await openGame(host.page, id);
  await host.page.getByLabel('Invitation link', { exact: true }).waitFor();
  await button(host.page, 'Cancel').click();
  await button(host.page, 'Yes, cancel the game').click();
  // The header has a link of this name too, also before the game is gone.
  await host.page.getByTestId('broken-link').getByRole('link', { name: 'New game' }).waitFor();
  const games = await asGuest<Game[]>(host.page, 'games?limit=50');
  expect(games.map((game) => game.id)).not.toContain(id);
});

test('a draw by repetition is claimed', async () => {
  const moves = ['g1f3', 'g8f6', 'f3g1', 'f6g8', 'g1f3', 'g8f6', 'f3g1', 'f6g8'];
  const { host, guest } = await startMatch(env, { moves });
  await host.page.getByText('You can claim a draw: threefold repetition.').waitFor();
  expect(await button(guest.page, 'Claim draw').count()).toBe(0);
  await button(host.page, 'Claim draw').click();
  await status(guest.page).getByText('Draw: threefold repetition.').waitFor();
});

test('a seat is moved to another device', async () => {
  const { host, guest } = await startMatch(env);
  await exchange(host.page, guest.page, 'e2', 'e4');
  await openLab(guest.page);
  await guest.page.getByText('Continue on another device').click();
  await button(guest.page, 'Create link').click();
  const field = guest.page.getByLabel('Link to continue');
  await field.waitFor();
  const phone = await env.open(new URL(await field.inputValue()).hash, {
    viewport: { width: 390, height: 844 },
  });
  await button(phone.page, 'Continue on this device').click();
  await status(phone.page).getByText('Black to move').waitFor();
  await exchange(phone.page, host.page, 'e7', 'e5');
  // The first device is a spectator now.
  await guest.page.reload();
  await guest.page.getByTestId('watching').waitFor();
  await phone.page.getByText('Black – Minh', { exact: true }).waitFor();
});

test('a player who speaks Vietnamese plays one who speaks English', async () => {
  const vietnamese = { locale: 'vi-VN' };
  const host = await env.open('', vietnamese, (page) => storeSettings(page, { name: 'Lan' }));
  await host.page.getByText('Cờ Tư Lệnh', { exact: true }).click();
  await host.page.getByLabel('Đối thủ').selectOption('Bạn bè (liên kết mời)');
  await button(host.page, 'Tạo lời mời').click();
  const field = host.page.getByLabel('Liên kết mời', { exact: true });
  await field.waitFor();
  const guest = await env.open(new URL(await field.inputValue()).hash);
  await button(guest.page, 'Accept and play').click();
  await status(guest.page).getByText('Red to move').waitFor();
  await status(host.page).getByText('Đến lượt Đỏ').waitFor();
  await host.page.getByText('Xanh – Ẩn danh', { exact: true }).waitFor();
  await expect.poll(() => host.page.title()).toContain('Đến lượt bạn');
  // A refusal of the server is in the player's language.
  const refusal = await host.page.evaluate(async () => {
    const id = location.hash.split('/').at(-1) ?? '';
    const response = await fetch(`/api/games/${id}/claim`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ player: 'second', claim: 'draw' }),
    });
    return response.status;
  });
  expect(refusal).toBe(403);
  await expectErrorResponses(host.errors, 403, 1);
});

test('an engine and two people at one screen need no second device', async () => {
  const { page } = await env.open('');
  await page.getByLabel('Opponent').selectOption('Two people at this screen');
  await button(page, 'Start game').click();
  await cell(page, 'e2').click();
  await cell(page, 'e4').click();
  await cell(page, 'e7').click();
  await cell(page, 'e5').click();
  await status(page).getByText('White to move').waitFor();
  await button(page, 'Take back').click();
  await status(page).getByText('Black to move').waitFor();
  await page.getByRole('link', { name: 'My games' }).click();
  await page.locator('li.card').first().waitFor();
  // Nobody else sees the game.
  const stranger = await env.open('#/games');
  await stranger.page.getByText('No saved games yet.').waitFor();
});
