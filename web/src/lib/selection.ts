// Selecting a legal move: each cell or option the player picks filters the server's list of legal moves until one is left.
// The server decides what is legal and describes every move; this module knows no rules.

import type { LegalMove, Share } from './types';

/** What the player has picked so far. */
export interface Selection {
  /** Cells, in the order they were picked. */
  cells: string[];
  kind: string | null;
  group: string | null;
  becomes: string | null;
  amount: number | null;
  /** Height by cell that a donor gives or a tile receives. Cells that are absent take no part. */
  shares: Record<string, number>;
}

export const emptySelection: Selection = {
  cells: [],
  kind: null,
  group: null,
  becomes: null,
  amount: null,
  shares: {},
};

/** The group of a move as a string to compare. Piece names may contain spaces but no plus sign. */
export function groupKey(move: LegalMove): string {
  return move.group.join('+');
}

/** The pieces of a group key. */
export function groupPieces(key: string): string[] {
  return key.split('+');
}

/** The cells that act: one figure, or the donors of a combination. */
export function sourceCells(move: LegalMove): string[] {
  return move.from === null ? move.shares.map((share) => share.cell) : [move.from];
}

/** The cells that are acted on. */
export function targetCells(move: LegalMove): string[] {
  const cells = move.from === null ? [] : move.shares.map((share) => share.cell);
  if (move.to !== null) cells.push(move.to);
  if (move.takes !== null && move.takes !== move.to) cells.push(move.takes);
  return cells;
}

/** The arrow that represents a move; both ends are the same cell if nothing changes place. */
export function moveArrow(move: LegalMove): { from: string; to: string } | null {
  const to = move.to ?? move.takes ?? move.shares[0]?.cell ?? move.from;
  return to === null ? null : { from: move.from ?? to, to };
}

/** The moves that match the selection, shares ignored. */
export function matching(moves: LegalMove[], selection: Selection): LegalMove[] {
  const [first, ...others] = selection.cells;
  let found = moves;
  if (first !== undefined) {
    // The first cell is a source if any move starts there, otherwise a target.
    const fromFirst = found.filter((move) => sourceCells(move).includes(first));
    found = fromFirst.length > 0 ? fromFirst : found.filter((move) => targetCells(move).includes(first));
  }
  return found.filter(
    (move) =>
      others.every((cell) => sourceCells(move).includes(cell) || targetCells(move).includes(cell)) &&
      (selection.kind === null || move.kind === selection.kind) &&
      (selection.group === null || groupKey(move) === selection.group) &&
      (selection.becomes === null || move.becomes === selection.becomes) &&
      (selection.amount === null || move.amount === selection.amount),
  );
}

/** Returns whether `shares` contain every selected share. */
function includesShares(shares: Share[], selected: Record<string, number>): boolean {
  return Object.entries(selected).every(([cell, amount]) =>
    shares.some((share) => share.cell === cell && share.amount === amount),
  );
}

/** The moves that match the selection, shares included. */
export function candidates(moves: LegalMove[], selection: Selection): LegalMove[] {
  return matching(moves, selection).filter((move) => includesShares(move.shares, selection.shares));
}

/** The only move that matches the selection. Among several, a move with exactly the selected shares wins. */
export function selectedMove(moves: LegalMove[], selection: Selection): LegalMove | null {
  const found = candidates(moves, selection);
  if (found.length === 1) return found[0] ?? null;
  const count = Object.keys(selection.shares).length;
  if (count === 0) return null;
  const exact = found.filter((move) => move.shares.length === count);
  return exact.length === 1 ? (exact[0] ?? null) : null;
}

/** A detail on which the matching moves differ, with its possible values. */
export type Choice =
  | { detail: 'kind' | 'group' | 'becomes'; values: string[] }
  | { detail: 'amount'; values: number[] }
  | { detail: 'share'; cell: string; values: number[] };

/** The choices to offer beside the board. */
export function openChoices(moves: LegalMove[], selection: Selection): Choice[] {
  if (selection.cells.length === 0) return [];
  const found: Choice[] = [];
  const without = (detail: 'kind' | 'group' | 'becomes' | 'amount') =>
    matching(moves, { ...selection, [detail]: null });
  const groups = distinct(without('group').map(groupKey)).filter((group) => group !== '');
  if (groups.length > 1) found.push({ detail: 'group', values: groups });
  // With one cell picked, the next cell usually tells a move from a capture. It does not if several figures act together
  // or a figure splits.
  const byKind = without('kind');
  const kinds = distinct(byKind.map((move) => move.kind));
  const composite = byKind.some((move) => move.from === null || move.shares.length > 0);
  if (kinds.length > 1 && (selection.cells.length > 1 || composite))
    found.push({ detail: 'kind', values: kinds });
  if (selection.cells.length < 2 && !composite) return found;
  const pieces = distinct(without('becomes').flatMap((move) => move.becomes ?? []));
  if (pieces.length > 1) found.push({ detail: 'becomes', values: pieces });
  const amounts = distinct(without('amount').flatMap((move) => move.amount ?? [])).sort((a, b) => a - b);
  if (amounts.length > 1) found.push({ detail: 'amount', values: amounts });
  found.push(...shareChoices(moves, selection));
  return found;
}

/** For every cell that can have a share: the amounts compatible with the other selected shares. */
function shareChoices(moves: LegalMove[], selection: Selection): Choice[] {
  const found = matching(moves, selection);
  if (distinct(found.map((move) => move.kind)).length !== 1) return [];
  const cells = distinct(found.flatMap((move) => move.shares.map((share) => share.cell))).sort();
  return cells.flatMap((cell): Choice[] => {
    const others = { ...selection.shares };
    delete others[cell];
    const amounts = found
      .filter((move) => includesShares(move.shares, others))
      .flatMap((move) => move.shares.filter((share) => share.cell === cell).map((share) => share.amount));
    const values = distinct(amounts).sort((a, b) => a - b);
    return values.length > 0 ? [{ detail: 'share', cell, values }] : [];
  });
}

/** The selection after the player picks a cell. A cell that no candidate touches starts a new selection. */
export function selectCell(moves: LegalMove[], selection: Selection, cell: string): Selection {
  if (selection.cells.includes(cell)) {
    return selection.cells[0] === cell
      ? emptySelection
      : { ...selection, cells: selection.cells.filter((c) => c !== cell), shares: {} };
  }
  const extended: Selection = { ...selection, cells: [...selection.cells, cell], shares: {} };
  if (selection.cells.length > 0 && matching(moves, extended).length > 0) return extended;
  const restarted: Selection = { ...emptySelection, cells: [cell] };
  return matching(moves, restarted).length > 0 ? restarted : emptySelection;
}

/** The mark of a cell that can be picked next: what picking it would do. */
export type TargetMark = 'capture' | 'move' | 'split' | 'combine' | 'source';

/** If moves of several kinds involve a cell, its mark is the first of these. */
const MARKS: TargetMark[] = ['capture', 'move', 'split', 'combine', 'source'];

/** The cells that can be picked next, with their marks. */
export function targetMarks(moves: LegalMove[], selection: Selection): Map<string, TargetMark> {
  const marks = new Map<string, TargetMark>();
  if (selection.cells.length === 0) return marks;
  for (const move of candidates(moves, selection)) {
    for (const cell of [...sourceCells(move), ...targetCells(move)]) {
      if (selection.cells.includes(cell)) continue;
      const [mark, other] = [markFor(move, cell), marks.get(cell)];
      if (other === undefined || MARKS.indexOf(mark) < MARKS.indexOf(other)) marks.set(cell, mark);
    }
  }
  return marks;
}

function markFor(move: LegalMove, cell: string): TargetMark {
  if (move.takes === cell) return 'capture';
  if (sourceCells(move).includes(cell)) return 'source';
  if (isCombination(move)) return 'combine';
  return move.shares.length > 0 ? 'split' : 'move';
}

/** Several units give a part of their height, or a piece joins a stack. */
function isCombination(move: LegalMove): boolean {
  return move.kind === 'combine' || (move.from === null && move.shares.length > 0);
}

function distinct<T>(values: T[]): T[] {
  return [...new Set(values)];
}
