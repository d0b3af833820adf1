// Narrowing a set of legal actions by what a player points at, until one is left. The server decides what is legal and
// names the parts of every action; nothing here knows a rule.

import type { Action, Share } from './types';

/** What a player has pointed at so far. */
export interface Pick {
  /** Cells, in the order in which they were chosen. */
  cells: string[];
  kind: string | null;
  group: string | null;
  becomes: string | null;
  amount: number | null;
  /** By donor or by tile: how much of a unit it gives or gets. Tiles that are not named have no part. */
  shares: Record<string, number>;
}

export const nothing: Pick = { cells: [], kind: null, group: null, becomes: null, amount: null, shares: {} };

/** A group as one text, to compare. No name of a piece has a plus in it, though some have spaces. */
export function groupKey(action: Action): string {
  return action.group.join('+');
}

/** The pieces of a group. */
export function groupPieces(key: string): string[] {
  return key.split('+');
}

/** The cells of those that act: one figure, or the donors of a combination. */
export function actors(action: Action): string[] {
  return action.from === null ? action.shares.map((share) => share.cell) : [action.from];
}

/** The cells that are acted on. */
export function goals(action: Action): string[] {
  const cells = action.from === null ? [] : action.shares.map((share) => share.cell);
  if (action.to !== null) cells.push(action.to);
  if (action.takes !== null && action.takes !== action.to) cells.push(action.takes);
  return cells;
}

/** An action as an arrow: from where to where, the same cell if it has no way to go. */
export function arrowOf(action: Action): { from: string; to: string } | null {
  const to = action.to ?? action.takes ?? action.shares[0]?.cell ?? action.from;
  return to === null ? null : { from: action.from ?? to, to };
}

/** The actions that agree with all that was chosen but the shares. */
export function remaining(actions: Action[], pick: Pick): Action[] {
  const [first, ...others] = pick.cells;
  let left = actions;
  if (first !== undefined) {
    // A figure that can act is chosen to act; any other cell is chosen as a goal.
    const acting = left.filter((action) => actors(action).includes(first));
    left = acting.length > 0 ? acting : left.filter((action) => goals(action).includes(first));
  }
  return left.filter(
    (action) =>
      others.every((cell) => actors(action).includes(cell) || goals(action).includes(cell)) &&
      (pick.kind === null || action.kind === pick.kind) &&
      (pick.group === null || groupKey(action) === pick.group) &&
      (pick.becomes === null || action.becomes === pick.becomes) &&
      (pick.amount === null || action.amount === pick.amount),
  );
}

/** Do the shares hold at least what was chosen? */
function holds(shares: Share[], chosen: Record<string, number>): boolean {
  return Object.entries(chosen).every(([cell, amount]) =>
    shares.some((share) => share.cell === cell && share.amount === amount),
  );
}

/** Everything that is still possible, the shares considered. */
export function possible(actions: Action[], pick: Pick): Action[] {
  return remaining(actions, pick).filter((action) => holds(action.shares, pick.shares));
}

/** The one action that is meant, if exactly one is. Shares that were chosen are all the shares there are. */
export function meant(actions: Action[], pick: Pick): Action | null {
  const left = possible(actions, pick);
  if (left.length === 1) return left[0] ?? null;
  const count = Object.keys(pick.shares).length;
  if (count === 0) return null;
  const exact = left.filter((action) => action.shares.length === count);
  return exact.length === 1 ? (exact[0] ?? null) : null;
}

/** A choice that the remaining actions leave open. */
export type Facet =
  | { part: 'kind' | 'group' | 'becomes'; values: string[] }
  | { part: 'amount'; values: number[] }
  | { part: 'share'; cell: string; values: number[] };

/** The choices to offer beside the board. */
export function facets(actions: Action[], pick: Pick): Facet[] {
  if (pick.cells.length === 0) return [];
  const found: Facet[] = [];
  const without = (part: 'kind' | 'group' | 'becomes' | 'amount') =>
    remaining(actions, { ...pick, [part]: null });
  const groups = distinct(without('group').map(groupKey)).filter((group) => group !== '');
  if (groups.length > 1) found.push({ part: 'group', values: groups });
  // With one cell chosen, the next cell tells a move from a capture; where several figures act together, or a figure
  // falls into parts, it does not.
  const byKind = without('kind');
  const kinds = distinct(byKind.map((action) => action.kind));
  const composite = byKind.some((action) => action.from === null || action.shares.length > 0);
  if (kinds.length > 1 && (pick.cells.length > 1 || composite)) found.push({ part: 'kind', values: kinds });
  if (pick.cells.length < 2 && !composite) return found;
  const pieces = distinct(without('becomes').flatMap((action) => action.becomes ?? []));
  if (pieces.length > 1) found.push({ part: 'becomes', values: pieces });
  const losses = distinct(without('amount').flatMap((action) => action.amount ?? [])).sort((a, b) => a - b);
  if (losses.length > 1) found.push({ part: 'amount', values: losses });
  found.push(...shareFacets(actions, pick));
  return found;
}

/** For every tile that may have a share: the amounts it may have beside those that are chosen already. */
function shareFacets(actions: Action[], pick: Pick): Facet[] {
  const left = remaining(actions, pick);
  if (distinct(left.map((action) => action.kind)).length !== 1) return [];
  const cells = distinct(left.flatMap((action) => action.shares.map((share) => share.cell))).sort();
  return cells.flatMap((cell): Facet[] => {
    const chosen = { ...pick.shares };
    delete chosen[cell];
    const amounts = left
      .filter((action) => holds(action.shares, chosen))
      .flatMap((action) => action.shares.filter((share) => share.cell === cell).map((share) => share.amount));
    const values = distinct(amounts).sort((a, b) => a - b);
    return values.length > 0 ? [{ part: 'share', cell, values }] : [];
  });
}

/** What choosing a cell next makes of the pick. */
export function choose(actions: Action[], pick: Pick, cell: string): Pick {
  if (pick.cells.includes(cell)) {
    return pick.cells[0] === cell
      ? nothing
      : { ...pick, cells: pick.cells.filter((c) => c !== cell), shares: {} };
  }
  const further: Pick = { ...pick, cells: [...pick.cells, cell], shares: {} };
  if (pick.cells.length > 0 && remaining(actions, further).length > 0) return further;
  const anew: Pick = { ...nothing, cells: [cell] };
  return remaining(actions, anew).length > 0 ? anew : nothing;
}

/** What a cell has to do with what is still possible: it is gone to, taken or combined on – or it is who acts. */
export type Mark = 'move' | 'take' | 'join' | 'act';

/** The cells that may be chosen next, with how they are marked. */
export function targets(actions: Action[], pick: Pick): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  if (pick.cells.length === 0) return marks;
  for (const action of possible(actions, pick)) {
    for (const cell of [...actors(action), ...goals(action)]) {
      if (pick.cells.includes(cell)) continue;
      if (marks.get(cell) !== 'take') marks.set(cell, markOf(action, cell));
    }
  }
  return marks;
}

function markOf(action: Action, cell: string): Mark {
  if (action.takes === cell) return 'take';
  if (action.kind === 'combine') return 'join';
  return actors(action).includes(cell) ? 'act' : 'move';
}

function distinct<T>(values: T[]): T[] {
  return [...new Set(values)];
}
