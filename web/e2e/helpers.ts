// Helpers to query the backend and to play moves on the page.

import {
  emptySelection,
  groupKey,
  openChoices,
  selectCell,
  selectedMove,
  type Choice,
  type Selection,
} from '../src/lib/selection';
import type { Game, Kind, LegalMove, View } from '../src/lib/types';
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
export async function cellCentre(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await cell(page, name).boundingBox();
  if (!box) throw new Error(`cell ${name} is not visible`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The entries of the move list, or those with a text. */
export function moves(page: Page, text?: string) {
  return page.locator('[data-testid=moves] .move', text === undefined ? {} : { hasText: text });
}

/** The current entry of the move list. */
export function currentMove(page: Page, text?: string) {
  return moves(page, text).and(page.locator('[aria-current]'));
}

/** Types a move and plays it. */
export async function typeMove(page: Page, text: string): Promise<void> {
  await page.getByLabel('Type a move').fill(text);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
}

/** The cells to click for a move, in order. */
function cellsToClick(move: LegalMove): string[] {
  const shares = move.shares.map((share) => share.cell);
  if (move.from === null) return move.to === null ? shares : [...shares, move.to];
  if (move.kind === 'split') return [move.from];
  return move.to === null ? [move.from] : [move.from, move.to];
}

/** The id of the option that a choice needs for a move. */
function neededOption(choice: Choice, move: LegalMove): string | null {
  switch (choice.detail) {
    case 'kind':
      return `kind ${move.kind}`;
    case 'group':
      return move.group.length === 0 ? null : `group ${groupKey(move)}`;
    case 'becomes':
      return move.becomes === null ? null : `becomes ${move.becomes}`;
    case 'amount':
      return move.amount === null ? null : `amount ${move.amount}`;
    case 'share': {
      const share = move.shares.find((candidate) => candidate.cell === choice.cell);
      return share ? `share ${choice.cell} ${share.amount}` : null;
    }
  }
}

function withOption(selection: Selection, option: string): Selection {
  const [detail = '', ...rest] = option.split(' ');
  const value = rest.join(' ');
  if (detail === 'share') {
    const [cell = '', amount] = rest;
    return { ...selection, shares: { ...selection.shares, [cell]: Number(amount) } };
  }
  return { ...selection, shares: {}, [detail]: detail === 'amount' ? Number(value) : value };
}

function hasOption(selection: Selection, option: string): boolean {
  const then = withOption(selection, option);
  const shares = { ...selection.shares, ...then.shares };
  return JSON.stringify({ ...then, shares }) === JSON.stringify(selection);
}

/** Selects one of the legal moves of a view. The page plays it, or previews it until it is confirmed. */
export async function selectMove(
  page: Page,
  { legal_moves, kind: name }: View,
  move: LegalMove,
): Promise<'played' | 'previewed'> {
  const boardMoves = legal_moves.filter((candidate) => candidate.kind !== 'end');
  const kinds = await request<Kind[]>(new URL('/', page.url()).href, 'kinds');
  const confirmMoves = kinds.find((kind) => kind.name === name)?.confirm_moves ?? false;
  const cells = cellsToClick(move);
  let selection = emptySelection;
  for (;;) {
    const found = selectedMove(boardMoves, selection);
    const isExplicit = selection.cells.length > 1 || selection.kind !== null || selection.amount !== null;
    if (found && selection.cells.length > 0 && (confirmMoves || isExplicit)) {
      if (found.text === move.text) return confirmMoves ? 'previewed' : 'played';
      // While the shares of a split are being selected, a smaller split is the selected move.
      if (!confirmMoves) throw new Error(`played ${found.text} instead of ${move.text}`);
    }
    const options = openChoices(boardMoves, selection).flatMap((choice) => neededOption(choice, move) ?? []);
    const missing = options.find((option) => !hasOption(selection, option));
    const group = options.find((option) => option.startsWith('group') && selection.group === null);
    const next = cells[0];
    if (group && selection.cells.length > 0) {
      await page.click(`[data-choice="${group}"]`);
      selection = withOption(selection, group);
    } else if (next !== undefined) {
      cells.shift();
      await cell(page, next).click();
      selection = selectCell(boardMoves, selection, next);
    } else if (missing) {
      await page.click(`[data-choice="${missing}"]`);
      selection = withOption(selection, missing);
    } else {
      throw new Error(`cannot select ${move.text}: ${JSON.stringify(selection)}`);
    }
  }
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
