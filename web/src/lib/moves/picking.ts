// What picking a cell does to the selection. A plain step or an attack comes first, then sharing out the height of a unit, then
// combining units. To choose otherwise, the player selects the kind of move.

import {
  distinct,
  emptySelection,
  gatherings,
  groupKey,
  groupPieces,
  isGathering,
  isSource,
  isSplit,
  matching,
  shareAmounts,
  sourceCells,
  type Selection,
} from './selection';
import type { LegalMove } from '../types';

/** The selection after the player picks a cell; empty if the cell is picked in vain. */
export function pickCell(moves: LegalMove[], selection: Selection, cell: string): Selection {
  const [first] = selection.cells;
  if (first === undefined) return start(moves, cell);
  const gathered = gatherings(moves, selection);
  if (gathered.some((move) => sourceCells(move).includes(cell))) {
    return { ...selection, shares: nextGifts(gathered, selection.shares, first, cell) };
  }
  if (cell === first) {
    return Object.keys(selection.shares).length > 0 ? { ...emptySelection, cells: [first] } : emptySelection;
  }
  if (selection.cells.includes(cell)) return { ...emptySelection, cells: [first] };
  if (isSource(moves, first)) {
    const picked = pickTarget(moves, selection, first, cell);
    // A cell that the figure cannot act on selects another figure, or an enemy that several units attack together.
    return picked ?? (isSource(moves, cell) || isAttacked(moves, cell) ? start(moves, cell) : emptySelection);
  }
  // The target was picked first.
  const actors = matching(moves, { ...emptySelection, cells: [first] }).filter((move) =>
    sourceCells(move).includes(cell),
  );
  return actors.length > 0
    ? pickCell(moves, { ...emptySelection, cells: [cell] }, first)
    : start(moves, cell);
}

function isAttacked(moves: LegalMove[], cell: string): boolean {
  return moves.some((move) => move.from === null && move.shares.length === 0 && move.takes === cell);
}

function start(moves: LegalMove[], cell: string): Selection {
  const started: Selection = { ...emptySelection, cells: [cell] };
  return matching(moves, started).length > 0 ? started : emptySelection;
}

function pickTarget(moves: LegalMove[], selection: Selection, first: string, cell: string): Selection | null {
  const found = matching(moves, { ...selection, cells: [...selection.cells, cell], shares: {} });
  const steps = found.filter((move) => move.shares.length === 0);
  const plain = steps.filter((move) => move.kind === 'move' || move.takes !== null);
  const isSharing = Object.keys(selection.shares).length > 0;
  if (plain.length > 0 && !isSharing) return pickStep(selection, first, cell, plain, found);
  const split = found.find(isSplit);
  if (split) return pickShare(moves, { ...selection, cells: [first], kind: split.kind }, cell);
  const gathered = found.filter((move) => isGathering(move) && move.to === cell);
  if (gathered[0]) return pickCenter(selection, first, cell, gathered, gathered[0].kind);
  // With the kind of move selected, the units that combine can be picked before the cell where they do.
  if (selection.kind !== null && found.some(isGathering))
    return { ...selection, cells: [...selection.cells, cell], shares: {} };
  return steps.length > 0 ? pickStep(selection, first, cell, steps, found) : null;
}

/** Picks the target of a figure. Of a stack, everyone who can goes, unless the player has chosen who. */
function pickStep(
  selection: Selection,
  first: string,
  cell: string,
  steps: LegalMove[],
  found: LegalMove[],
): Selection {
  const kinds = distinct(steps.map((move) => move.kind));
  const kind = found.length > steps.length && kinds.length === 1 ? (kinds[0] ?? null) : selection.kind;
  return {
    ...selection,
    cells: [first, cell],
    kind,
    group: selection.group ?? largestGroup(steps),
    shares: {},
  };
}

/** The group that contains all others; null if there is none or only one. */
function largestGroup(steps: LegalMove[]): string | null {
  const groups = distinct(steps.map(groupKey));
  if (groups.length < 2) return null;
  const contains = (group: string, other: string) =>
    groupPieces(other).every((piece) => groupPieces(group).includes(piece));
  return groups.find((group) => groups.every((other) => contains(group, other))) ?? null;
}

/** Gives a cell the next greater part of the unit; after the greatest, none. */
function pickShare(moves: LegalMove[], selection: Selection, cell: string): Selection {
  const current = selection.shares[cell] ?? 0;
  const next = shareAmounts(moves, selection, cell).find((amount) => amount > current);
  const shares = { ...selection.shares };
  if (next === undefined) delete shares[cell];
  else shares[cell] = next;
  return { ...selection, kind: Object.keys(shares).length > 0 ? selection.kind : null, shares };
}

/** Picks where units combine: as much height as possible. */
function pickCenter(
  selection: Selection,
  first: string,
  cell: string,
  gathered: LegalMove[],
  kind: string,
): Selection {
  const [best] = gathered.filter((move) => move.kind === kind).sort((a, b) => total(b) - total(a));
  return { ...selection, cells: [first, cell], kind, shares: best ? sharesOf(best) : {} };
}

/** The shares of the combination in which a unit gives its next greater amount, or nothing, and the others change least. */
function nextGifts(
  gathered: LegalMove[],
  shares: Record<string, number>,
  first: string,
  cell: string,
): Record<string, number> {
  const gift = (move: LegalMove) => sharesOf(move)[cell] ?? 0;
  const allowed = gathered.filter((move) => first in sharesOf(move));
  const gifts = distinct(allowed.map(gift)).sort((a, b) => a - b);
  const next = gifts.find((amount) => amount > (shares[cell] ?? 0)) ?? gifts[0];
  const changes = (move: LegalMove) => {
    const after = sharesOf(move);
    const cells = Object.keys({ ...shares, ...after }).filter((other) => other !== cell);
    return cells.filter((other) => shares[other] !== after[other]).length;
  };
  const [best] = allowed
    .filter((move) => gift(move) === next)
    .sort((a, b) => changes(a) - changes(b) || total(b) - total(a));
  return best ? sharesOf(best) : shares;
}

function sharesOf(move: LegalMove): Record<string, number> {
  return Object.fromEntries(move.shares.map(({ cell, amount }) => [cell, amount]));
}

function total(move: LegalMove): number {
  return move.shares.reduce((sum, share) => sum + share.amount, 0);
}
