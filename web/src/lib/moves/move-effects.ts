// What a move does that players should see and hear.

import type { Board, LegalMove, PlayedMove, Player, View } from '../types';

export type EffectKind = 'capture' | 'heroic' | 'enslave' | 'liberate' | 'check';

export interface Effect {
  kind: EffectKind;
  cell: string;
}

/** The kinds of moves that remove or damage what stands on their target. */
const CAPTURES = new Set([
  ...['capture', 'en-passant', 'stay-capture', 'suicide-capture'],
  ...['kill', 'damage', 'backstab', 'attack-tribun'],
]);

/** The effects of a move between two views, in the order in which they are heard. */
export function moveEffects(before: View, after: View, { text, player }: PlayedMove): Effect[] {
  const move = before.legal_moves.find((candidate) => candidate.text === text);
  const effects: Effect[] = [];
  const at = move && (move.to ?? move.from);
  if (move && at) {
    if (move.kind === 'enslave' || move.kind === 'liberate') effects.push({ kind: move.kind, cell: at });
    else if (isCapture(move)) effects.push({ kind: 'capture', cell: at });
  }
  for (const cell of newHeroes(before.board, after.board, player)) effects.push({ kind: 'heroic', cell });
  if (after.in_check && after.cell_in_check && !after.outcome.over)
    effects.push({ kind: 'check', cell: after.cell_in_check });
  return effects;
}

function isCapture(move: LegalMove): boolean {
  return CAPTURES.has(move.kind) || move.takes !== null;
}

/** The cells of the player's figures that became heroic; a tribun is marked from the start and is not counted. */
function newHeroes(before: Board, after: Board, player: Player): string[] {
  const earlier = heroes(before, player);
  const later = heroes(after, player);
  const count = later.length - earlier.length;
  if (count <= 0) return [];
  const own = new Set(before.cells.flatMap(({ name, figure }) => (figure?.owner === player ? [name] : [])));
  // Heroes that moved are on new cells too: those that stand where they stood before come first.
  const isNew = (cell: string) => !earlier.includes(cell);
  return [...later.filter((cell) => isNew(cell) && own.has(cell)), ...later.filter(isNew)]
    .filter((cell, i, all) => all.indexOf(cell) === i)
    .slice(0, count);
}

function heroes({ cells }: Board, player: Player): string[] {
  return cells.flatMap(({ name, figure }) =>
    figure?.owner === player
      ? figure.pieces.filter((p) => p.starred && p.height === null).map(() => name)
      : [],
  );
}
