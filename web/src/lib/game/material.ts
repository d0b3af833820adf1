// What each side has lost since the start of a game, and the heights of its units.

import type { Board, ByPlayer, Piece, Player } from '../types';

export interface Material {
  /** The pieces that the other side has captured, those of a kind together. */
  captured: Piece[];
  /** The sum of the heights; null in games whose pieces have none. */
  height: number | null;
}

function piecesOf(board: Board, player: Player): Piece[] {
  return board.cells.flatMap(({ figure }) => figure?.pieces.filter(({ owner }) => owner === player) ?? []);
}

function countKinds(pieces: Piece[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of pieces) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** The pieces of a player that are on the first board and not on the second one. */
function lostPieces(start: Board, now: Board, player: Player): Piece[] {
  const before = piecesOf(start, player);
  const initial = countKinds(before);
  const left = countKinds(piecesOf(now, player));
  let gained = 0;
  const lost = [...initial].map(([kind, count]) => {
    const difference = count - (left.get(kind) ?? 0);
    gained += Math.max(0, -difference);
    return { kind, count, missing: Math.max(0, difference) };
  });
  for (const [kind, count] of left) if (!initial.has(kind)) gained += count;
  // A piece that was promoted was not captured: it is one of the most numerous kind.
  for (const entry of lost.sort((a, b) => b.count - a.count)) {
    const promoted = Math.min(gained, entry.missing);
    entry.missing -= promoted;
    gained -= promoted;
  }
  return lost.flatMap(({ kind, missing }) => {
    const piece = before.find((candidate) => candidate.kind === kind);
    return piece ? Array.from({ length: missing }, () => piece) : [];
  });
}

/** The material of both sides; pieces captured by a side are the other side's. */
export function material(start: Board, now: Board): ByPlayer<Material> {
  const of = (player: Player, other: Player): Material => {
    const heights = piecesOf(now, player).flatMap(({ height, role }) =>
      role === 'slave' || height === null ? [] : [height],
    );
    const hasHeights = piecesOf(start, player).some(({ height }) => height !== null);
    return {
      captured: hasHeights ? [] : lostPieces(start, now, other),
      height: hasHeights ? heights.reduce((sum, height) => sum + height, 0) : null,
    };
  };
  return { first: of('first', 'second'), second: of('second', 'first') };
}
