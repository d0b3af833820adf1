// Selecting a legal move: each cell or option the player picks filters the server's list of legal moves until one is left.
// The server decides what is legal and describes every move; this module knows no rules.

import type { LegalMove, Share } from '../types';

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

/** The move that the selection describes completely; of several candidates, the one without further shares. */
export function selectedMove(moves: LegalMove[], selection: Selection): LegalMove | null {
  const count = Object.keys(selection.shares).length;
  const [found, ...others] = candidates(moves, selection).filter((move) => move.shares.length === count);
  return others.length === 0 ? (found ?? null) : null;
}

/** Returns whether a unit gives parts of its height to other cells. */
export function isSplit(move: LegalMove): boolean {
  return move.from !== null && move.shares.length > 0;
}

/** Returns whether several units give parts of their heights to one cell. */
export function isGathering(move: LegalMove): boolean {
  return move.from === null && move.shares.length > 0;
}

/** Returns whether a move starts at a cell. */
export function isSource(moves: LegalMove[], cell: string): boolean {
  return moves.some((move) => sourceCells(move).includes(cell));
}

/** The cell that plays a previewed move when it is picked: where units combine, or the unit that splits. */
export function confirmingCell(move: LegalMove): string | null {
  return move.from ?? move.to;
}

/** The combinations at the picked cell, of the picked kind, in which the first unit takes part; empty if none is picked. */
export function gatherings(moves: LegalMove[], selection: Selection): LegalMove[] {
  if (selection.cells.length < 2 || Object.keys(selection.shares).length === 0) return [];
  return matching(moves, selection).filter(isGathering);
}

/** The amounts that a cell can have, given the other selected shares; ascending. */
export function shareAmounts(moves: LegalMove[], selection: Selection, cell: string): number[] {
  const others = { ...selection.shares };
  delete others[cell];
  const amounts = matching(moves, selection)
    .filter((move) => includesShares(move.shares, others))
    .flatMap((move) => move.shares.filter((share) => share.cell === cell).map((share) => share.amount));
  return distinct(amounts).sort((a, b) => a - b);
}

/** The mark of a cell that can be picked next: what picking it would do. */
export type TargetMark = 'capture' | 'move' | 'split' | 'combine' | 'source';

/** If moves of several kinds involve a cell, it has the mark of the first of these: what picking it does. */
const ORDER: TargetMark[] = ['capture', 'move', 'split', 'combine', 'source'];

function rank(move: LegalMove, mark: TargetMark): number {
  // Special steps, such as a backstab, come after everything else.
  return mark === 'move' && move.kind !== 'move' ? ORDER.length : ORDER.indexOf(mark);
}

/** The cells that can be picked next, with their marks. */
export function targetMarks(moves: LegalMove[], selection: Selection): Map<string, TargetMark> {
  const marks = new Map<string, TargetMark>();
  const ranks = new Map<string, number>();
  const [first] = selection.cells;
  if (first === undefined) return marks;
  const gathered = gatherings(moves, selection);
  const found = gathered.length > 0 ? gathered : candidates(moves, selection);
  // Picking another own figure selects it, unless the player is combining.
  const withSources = gathered.length > 0 || selection.kind !== null || !isSource(moves, first);
  for (const move of found) {
    for (const cell of [...(withSources ? sourceCells(move) : []), ...targetCells(move)]) {
      if (selection.cells.includes(cell) || cell in selection.shares) continue;
      const mark = markFor(move, cell);
      if (rank(move, mark) >= (ranks.get(cell) ?? Infinity)) continue;
      ranks.set(cell, rank(move, mark));
      marks.set(cell, mark);
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
  return move.kind === 'combine' || isGathering(move);
}

export function distinct<T>(values: T[]): T[] {
  return [...new Set(values)];
}
