// The options that are offered on the board: who goes and what is done at the figure, and what cells cannot tell at the target.

import { pickCell } from './picking';
import {
  candidates,
  distinct,
  emptySelection,
  gatherings,
  groupKey,
  groupPieces,
  isSource,
  matching,
  type Selection,
} from './selection';
import type { LegalMove } from '../types';

export interface Option {
  /** What is chosen: a piece of a stack, a group of pieces, a kind of move, a promotion or the outcome of an attack. */
  detail: 'piece' | 'group' | 'kind' | 'becomes' | 'attack';
  value: string;
  /** The height that an attack takes away. */
  amount: number | null;
  selected: boolean;
  /** The selection after the option is chosen. */
  then: Selection;
}

export interface Options {
  cell: string;
  options: Option[];
}

/** The options at the first picked cell, if there are enough: the pieces of its stack, or the kinds of move of its unit. */
export function optionsAtFigure(moves: LegalMove[], selection: Selection, least = 2): Options | null {
  const [cell] = selection.cells;
  if (cell === undefined || !isSource(moves, cell)) return null;
  const found = matching(moves, { ...emptySelection, cells: [cell] });
  const options = found.some((move) => move.deploys)
    ? pieceOptions(found, selection, cell)
    : kindOptions(moves, found, selection, cell);
  return options.length >= least ? { cell, options } : null;
}

/** The pieces of a stack that can go: each can be chosen alone or with others. */
function pieceOptions(found: LegalMove[], selection: Selection, cell: string): Option[] {
  const groups = distinct(found.map(groupKey)).filter((group) => group !== '');
  const chosen = selection.group === null ? [] : groupPieces(selection.group);
  const equal = (group: string, pieces: string[]) =>
    groupPieces(group).length === pieces.length &&
    groupPieces(group).every((piece) => pieces.includes(piece));
  return distinct(groups.flatMap(groupPieces)).map((value): Option => {
    const selected = chosen.includes(value);
    const pieces = selected ? chosen.filter((piece) => piece !== value) : [...chosen, value];
    const group =
      groups.find((candidate) => equal(candidate, pieces)) ??
      (selected ? null : (groups.find((candidate) => equal(candidate, [value])) ?? null));
    return {
      detail: 'piece',
      value,
      amount: null,
      selected,
      then: { ...emptySelection, cells: [cell], group },
    };
  });
}

/** The kinds of move of a unit that can share out its height or combine. Attacks are chosen at their target. */
function kindOptions(moves: LegalMove[], found: LegalMove[], selection: Selection, cell: string): Option[] {
  if (!found.some((move) => move.shares.length > 0)) return [];
  const kinds = distinct(found.filter((move) => move.takes === null).map((move) => move.kind));
  // A target that is already picked stays.
  const target = selection.cells[1] ?? Object.keys(selection.shares)[0];
  return kinds.map((value): Option => {
    const selected = selection.kind === value;
    const base: Selection = { ...emptySelection, cells: [cell], kind: selected ? null : value };
    const isPossible =
      target !== undefined && !selected && matching(moves, { ...base, cells: [cell, target] }).length > 0;
    // A plain step would be played at once.
    const then = isPossible && value !== 'move' ? pickCell(moves, base, target) : base;
    return { detail: 'kind', value, amount: null, selected, then };
  });
}

/** The promotion that is offered first. */
const FIRST_PROMOTION = 'queen';

/** The options at the target, if cells do not determine the move. */
export function optionsAtTarget(moves: LegalMove[], selection: Selection): Options | null {
  const [first, target] = selection.cells;
  if (first === undefined) return null;
  if (target === undefined) return isSource(moves, first) ? null : attackOptions(moves, selection, first);
  if (gatherings(moves, selection).length > 0) return null;
  const found = candidates(moves, selection).filter((move) => move.shares.length === 0);
  const offer = (detail: 'group' | 'kind' | 'becomes', values: string[]): Options | null =>
    values.length < 2
      ? null
      : {
          cell: target,
          options: values.map((value) => ({
            detail,
            value,
            amount: null,
            selected: false,
            then: { ...selection, [detail]: value },
          })),
        };
  const promotions = distinct(found.flatMap((move) => move.becomes ?? []));
  return (
    // Not every kind of move has a group, so the kind comes first.
    offer('kind', distinct(found.map((move) => move.kind))) ??
    offer('group', distinct(found.map(groupKey))) ??
    offer(
      'becomes',
      promotions.sort((a, b) => Number(b === FIRST_PROMOTION) - Number(a === FIRST_PROMOTION)),
    )
  );
}

/** The outcomes of an attack by several units together, which no cell but the target tells. */
function attackOptions(moves: LegalMove[], selection: Selection, cell: string): Options | null {
  const attacks = matching(moves, { ...emptySelection, cells: [cell] }).filter(
    (move) => move.from === null && move.shares.length === 0,
  );
  const options = attacks.map(({ kind, amount }): Option => {
    return { detail: 'attack', value: kind, amount, selected: false, then: { ...selection, kind, amount } };
  });
  return options.length > 0 ? { cell, options } : null;
}
