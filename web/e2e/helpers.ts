// Helpers to query the backend and to play moves on the page.

import { optionsAtFigure, optionsAtTarget, type Option, type Options } from '../src/lib/moves/options';
import { pickCell } from '../src/lib/moves/picking';
import { emptySelection, groupKey, selectedMove, type Selection } from '../src/lib/moves/selection';
import type { Game, LegalMove, View } from '../src/lib/types';
import type { Locator } from 'playwright-core';
import type { Page } from './browser';
import { isSite } from './server';
import { siteRequest } from './site-games';

export async function request<T>(url: string, path: string, body?: unknown): Promise<T> {
  if (isSite) return JSON.parse(await siteRequest(path, body)) as T;
  const response = await fetch(`${url}api/${path}`, {
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

export function fetchView(url: string, kind: string, position?: string, moves: string[] = []): Promise<View> {
  return request<View>(url, 'position', { kind, moves, ...(position ? { position } : {}) });
}

export function cell(page: Page, name: string) {
  return page.locator(`[data-cell="${name}"]`);
}

/** The centre of a cell on the screen. */
export async function cellCenter(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await cell(page, name).boundingBox();
  if (!box) throw new Error(`cell ${name} is not visible`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The ways to choose a cell or an option, with the browser options that they need. */
export const INPUTS: Record<string, { options: object; choose: (what: Locator) => Promise<void> }> = {
  mouse: { options: {}, choose: (what) => what.click() },
  touch: {
    options: { viewport: { width: 820, height: 1180 }, hasTouch: true },
    choose: (what) => what.tap(),
  },
  keyboard: {
    options: {},
    choose: async (what) => {
      await what.focus();
      await what.press('Enter');
    },
  },
};

/** Presses Tab until an element with this name has the focus. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const at = document.activeElement;
      const label = at?.matches('input, select') ? at.closest('label') : null;
      return at?.getAttribute('aria-label') ?? (label ?? at)?.textContent ?? '';
    });
    if (name.test(focused.trim())) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

/** Moves the focus from a chess square to another one and selects it. */
export async function selectSquare(page: Page, to: string): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const at = await page.evaluate(() => document.activeElement?.getAttribute('data-cell') ?? '');
    if (at === to) break;
    const [dx, dy] = [to.charCodeAt(0) - at.charCodeAt(0), to.charCodeAt(1) - at.charCodeAt(1)];
    await page.keyboard.press(
      dx > 0 ? 'ArrowRight' : dx < 0 ? 'ArrowLeft' : dy > 0 ? 'ArrowUp' : 'ArrowDown',
    );
  }
  await page.keyboard.press('Enter');
}

/** The entries of the move list, or those with a text. */
export function moves(page: Page, text?: string) {
  return page.locator('[data-testid=moves] .move', text === undefined ? {} : { hasText: text });
}

/** The current entry of the move list. */
export function currentMove(page: Page, text?: string) {
  return moves(page, text).and(page.locator('[aria-current]'));
}

/** Opens the tab with typed moves, texts and the inspector. */
export async function openLab(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Lab' }).click();
  await page.getByTestId('inspector').waitFor();
}

/** Opens the tab with the move list. */
export async function openMoves(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Moves' }).click();
}

/** Types a move and plays it. Opens the Lab for it, if necessary, and closes it again. */
export async function typeMove(page: Page, text: string): Promise<void> {
  const moves = page.getByRole('tab', { name: 'Moves' });
  const wasInMoves = (await moves.getAttribute('aria-selected')) === 'true';
  if (wasInMoves) await openLab(page);
  await page.getByLabel('Type a move').fill(text);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  if (wasInMoves) await moves.click();
}

/** A click: on a cell, or on an option. */
type Click = { cell: string } | { option: string };

const optionId = ({ detail, value, amount }: Option) =>
  `${detail} ${value}${amount === null ? '' : ` ${amount}`}`;

/** The clicks that select a legal move, found by trying those that may lead to it. */
function clicksFor(moves: LegalMove[], move: LegalMove): Click[] {
  const donors = move.shares.map((share) => share.cell);
  const start = move.from ?? donors[0] ?? move.takes ?? '';
  const cells = [move.to, move.takes, ...donors].filter((cell) => cell !== null && cell !== '');
  const isUseful = ({ detail, value, amount, selected }: Option) => {
    if (selected) return false;
    if (detail === 'piece') return move.group.includes(value);
    if (detail === 'group') return groupKey(move) === value;
    if (detail === 'becomes') return move.becomes === value;
    return move.kind === value && (detail === 'kind' || move.amount === amount);
  };
  const useful = (offered: Options | null) => offered?.options.filter(isUseful) ?? [];
  let paths: { selection: Selection; clicks: Click[] }[] = [
    { selection: pickCell(moves, emptySelection, start), clicks: [{ cell: start }] },
  ];
  const seen = new Set<string>();
  for (let length = 0; length < 20; length++) {
    const next: typeof paths = [];
    for (const { selection, clicks } of paths) {
      const found = selectedMove(moves, selection);
      const isSelected =
        found?.text === move.text &&
        (selection.cells.length > 1 ||
          found.shares.length > 0 ||
          (found.from === null && selection.kind !== null));
      if (isSelected) return clicks;
      // A move without shares is played as soon as it is selected.
      if (found?.shares.length === 0 && selection.cells.length > 1) continue;
      const offered = [
        ...useful(optionsAtTarget(moves, selection)),
        ...useful(optionsAtFigure(moves, selection)),
      ];
      // Units that a combination leaves out may have to be picked as well.
      const taking = moves.filter(({ to, from }) => from === null && to === move.to && to !== null);
      const others =
        move.from === null ? taking.flatMap((other) => other.shares.map(({ cell }) => cell)) : [];
      const picked = [...new Set([...cells, ...others])].filter((cell) => cell !== null);
      const steps: { click: Click; then: Selection }[] = [
        ...offered.map((option) => ({ click: { option: optionId(option) }, then: option.then })),
        ...picked.map((cell) => ({ click: { cell }, then: pickCell(moves, selection, cell) })),
      ];
      for (const { click, then } of steps) {
        // Picking the cell of a previewed move would play it.
        if (found && 'cell' in click && click.cell === (found.from ?? found.to)) continue;
        const key = JSON.stringify(then);
        if (seen.has(key) || then.cells[0] !== start) continue;
        seen.add(key);
        next.push({ selection: then, clicks: [...clicks, click] });
      }
    }
    paths = next;
  }
  throw new Error(`cannot select ${move.text}`);
}

/** Selects one of the legal moves of a view. The page plays it, or previews it until it is confirmed. */
export async function selectMove(
  page: Page,
  { legal_moves }: View,
  move: LegalMove,
): Promise<'played' | 'previewed'> {
  const clicks = clicksFor(
    legal_moves.filter(({ kind }) => kind !== 'end'),
    move,
  );
  for (const click of clicks) {
    if ('cell' in click) await cell(page, click.cell).click();
    else await page.click(`[data-choice="${click.option}"]`);
  }
  return move.shares.length > 0 ? 'previewed' : 'played';
}

/** Plays a move on the page. */
export async function play(page: Page, view: View, move: LegalMove): Promise<void> {
  if (move.kind === 'end') await page.getByRole('button', { name: 'End turn' }).click();
  else if ((await selectMove(page, view, move)) === 'previewed') await page.getByTestId('submit').click();
}

/** Waits for a version after `version` in which a human is to move or the game is over. */
export async function waitForTurn(url: string, id: string, version: number): Promise<Game> {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    const game = await request<Game>(url, `games/${id}`);
    const { outcome, turn } = game.view;
    if (game.version > version && (outcome.over || game.seats[turn].type === 'human')) return game;
    await new Promise((resume) => setTimeout(resume, 15));
  }
  throw new Error(`timed out waiting for a turn after version ${version}`);
}
