// Guests: people with a browser of their own, who hold seats on a server with seats.

import { expect } from 'vitest';
import type { Game, NewGame, Player, Link } from '../src/lib/types';
import type { Page, Tab } from './browser';
import type { Environment } from './environment';
import { cell } from './helpers';

/** Sends a request as the guest of a page. */
export function asGuest<T>(page: Page, path: string, body?: unknown, method = 'POST'): Promise<T> {
  return page.evaluate(
    async ([path, body, method]) => {
      const response = await fetch(`/api/${path}`, {
        ...(body === undefined
          ? {}
          : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
      return (text === '' ? null : JSON.parse(text)) as T;
    },
    [path, body, method] as const,
  );
}

/** Creates a game in which the guest of a page plays `side` and the other seat is open. */
export function newSharedGame(
  page: Page,
  options: Partial<NewGame> = {},
  side: Player = 'first',
): Promise<Game> {
  const [own, open] = [{ type: 'human', name: 'Lan' } as const, { type: 'open' } as const];
  const seats = side === 'first' ? { first: own, second: open } : { first: open, second: own };
  return asGuest<Game>(page, 'games', { kind: 'chess', seats, ...options });
}

export interface Match {
  id: string;
  host: Tab;
  guest: Tab;
}

/** Two guests in a game, both on its page: the host plays `side`. */
export async function startMatch(
  env: Environment,
  options: Partial<NewGame> = {},
  side: Player = 'first',
  beforeGuest?: (page: Page) => Promise<unknown>,
): Promise<Match> {
  const [host, guest] = await Promise.all([env.open('#/lobby'), env.open('#/lobby', {}, beforeGuest)]);
  const { id } = await newSharedGame(host.page, options, side);
  const { token } = await asGuest<Link>(host.page, `games/${id}/invitation`, {});
  await asGuest(guest.page, `games/${id}/seat`, { token, name: 'Minh' });
  await Promise.all([host, guest].map(({ page }) => openGame(page, id)));
  return { id, host, guest };
}

/** Opens a game and waits until it is shown and connected. */
export async function openGame(page: Page, id: string): Promise<void> {
  await page.evaluate((id) => (location.hash = `#/game/${id}`), id);
  await page.getByTestId('status').waitFor();
  await page.getByTestId('disconnected').waitFor({ state: 'detached' });
}

/** Plays a move by clicking cells, and waits until both pages show it. */
export async function exchange(from: Page, to: Page, source: string, target: string): Promise<void> {
  await cell(from, source).click();
  await cell(from, target).click();
  const isEmpty = async (page: Page, name: string) =>
    (await cell(page, name).getAttribute('aria-label'))?.includes('empty');
  for (const page of [from, to])
    await expect
      .poll(async () => [await isEmpty(page, source), await isEmpty(page, target)])
      .toEqual([true, false]);
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const status = (page: Page) => page.getByTestId('status');
