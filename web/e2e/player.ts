// A player who looks at the server's list of actions and makes one of them on the board, by pointing.

import { choose, facets, groupKey, meant, nothing, type Facet, type Pick } from '../src/lib/narrow';
import type { Action, Game, Kind, View } from '../src/lib/types';
import type { Page } from './browser';

export async function ask<T>(url: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${url}api/${path}`, {
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

export function cell(page: Page, name: string) {
  return page.locator(`[data-cell="${name}"]`);
}

/** The middle of a cell on the screen. */
export async function middle(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await cell(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not there`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The moves of the list beside the board, or those of them with a text. */
export function moves(page: Page, text?: string) {
  return page.locator('[data-testid=moves] .move', text === undefined ? {} : { hasText: text });
}

/** The move in the list that is on the board. */
export function current(page: Page, text?: string) {
  return moves(page, text).and(page.locator('[aria-current]'));
}

/** Types a move and plays it. */
export async function type(page: Page, text: string): Promise<void> {
  await page.getByLabel('Type a move').fill(text);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
}

/** The cells to point at, in order. */
function route(action: Action): string[] {
  const shares = action.shares.map((share) => share.cell);
  if (action.from === null) return action.to === null ? shares : [...shares, action.to];
  if (action.kind === 'split') return [action.from];
  return action.to === null ? [action.from] : [action.from, action.to];
}

function wanted(facet: Facet, action: Action): string | null {
  switch (facet.part) {
    case 'kind':
      return `kind ${action.kind}`;
    case 'group':
      return action.group.length === 0 ? null : `group ${groupKey(action)}`;
    case 'becomes':
      return action.becomes === null ? null : `becomes ${action.becomes}`;
    case 'amount':
      return action.amount === null ? null : `amount ${action.amount}`;
    case 'share': {
      const share = action.shares.find((candidate) => candidate.cell === facet.cell);
      return share ? `share ${facet.cell} ${share.amount}` : null;
    }
  }
}

function after(pick: Pick, choice: string): Pick {
  const [part = '', ...rest] = choice.split(' ');
  const value = rest.join(' ');
  if (part === 'share') {
    const [cell = '', amount] = rest;
    return { ...pick, shares: { ...pick.shares, [cell]: Number(amount) } };
  }
  return { ...pick, shares: {}, [part]: part === 'amount' ? Number(value) : value };
}

function made(pick: Pick, choice: string): boolean {
  const then = after(pick, choice);
  return JSON.stringify({ ...then, shares: { ...pick.shares, ...then.shares } }) === JSON.stringify(pick);
}

/** Makes an action that is one of the legal `actions`. Where the page shows it first, it is left to be submitted. */
export async function point(
  page: Page,
  { actions, kind: name }: View,
  action: Action,
): Promise<'played' | 'shown'> {
  const onBoard = actions.filter((candidate) => candidate.kind !== 'end');
  const kinds = await ask<Kind[]>(new URL('/', page.url()).href, 'kinds');
  const confirms = kinds.find((kind) => kind.name === name)?.confirms ?? false;
  const open = route(action);
  let pick = nothing;
  for (;;) {
    const done = meant(onBoard, pick);
    const decided = pick.cells.length > 1 || pick.kind !== null || pick.amount !== null;
    if (done && pick.cells.length > 0 && (confirms || decided)) {
      if (done.text === action.text) return confirms ? 'shown' : 'played';
      // A split that has more parts to come is a split with fewer parts meanwhile.
      if (!confirms) throw new Error(`${done.text} was played for ${action.text}`);
    }
    const offered = facets(onBoard, pick).flatMap((facet) => wanted(facet, action) ?? []);
    const unmade = offered.find((choice) => !made(pick, choice));
    const group = offered.find((choice) => choice.startsWith('group') && pick.group === null);
    const next = open[0];
    if (group && pick.cells.length > 0) {
      await page.click(`[data-choice="${group}"]`);
      pick = after(pick, group);
    } else if (next !== undefined) {
      open.shift();
      await cell(page, next).click();
      pick = choose(onBoard, pick, next);
    } else if (unmade) {
      await page.click(`[data-choice="${unmade}"]`);
      pick = after(pick, unmade);
    } else {
      throw new Error(`${action.text} cannot be pointed at: ${JSON.stringify(pick)}`);
    }
  }
}

/** Plays an action on the page. */
export async function play(page: Page, view: View, action: Action): Promise<void> {
  if (action.kind === 'end') await page.getByRole('button', { name: 'End the turn' }).click();
  else if ((await point(page, view, action)) === 'shown') await page.getByTestId('submit').click();
}

/** Waits until the game has gone on and a person is to move, or it is over. */
export async function ready(url: string, id: string, version: number): Promise<Game> {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    const game = await ask<Game>(url, `games/${id}`);
    const { outcome, turn } = game.view;
    if (game.version > version && (outcome.over || game.players[turn].who === 'person')) return game;
    await new Promise((resume) => setTimeout(resume, 15));
  }
  throw new Error('the game does not go on');
}

export function view(url: string, kind: string, position?: string, moves: string[] = []): Promise<View> {
  return ask<View>(url, 'position', { kind, moves, ...(position ? { position } : {}) });
}
