// What the palette of a game tells about a kind of piece: where it stands, what it carries and what carries it.

import { distinct } from '../moves/selection';
import type { Board, Figure, Palette, Piece } from '../types';

/** The names of a piece in the rules: its kind; in games with heights, its kind and height, or that it is a tribun. */
function namesOf({ kind, height, starred }: Piece): string[] {
  if (height === null) return [kind];
  const unit = `${kind} ${height}`;
  if (!starred) return [unit];
  // A tribun of height 1 has a range of its own, a higher one that of its height.
  return height === 1 ? ['tribun'] : ['tribun', unit];
}

/** The names of all pieces of a figure in the rules, the leading piece first. */
export function pieceKeys(figure: Figure): string[] {
  return distinct(figure.pieces.flatMap(namesOf));
}

export interface PieceFacts {
  /** The kinds of terrain where it may stand; empty if that is everywhere. */
  terrain: string[];
  /** The kinds of pieces that it can carry. */
  carries: string[];
  /** The kinds of pieces that can carry it. */
  carriedBy: string[];
}

/** The facts about a kind of piece under the rules of a palette. */
export function pieceFacts(kind: string, { figures, regions }: Palette, { cells }: Board): PieceFacts {
  const terrainOf = (names: string[]) =>
    distinct(cells.filter(({ name }) => names.includes(name)).flatMap(({ terrain }) => terrain.slice(0, 1)));
  const alone = figures.find(({ figure }) => figure.pieces.length === 1 && figure.pieces[0]?.kind === kind);
  const own = terrainOf(regions[alone?.region ?? -1] ?? []);
  const all = terrainOf(cells.map(({ name }) => name));
  const stacks = figures.map(({ figure }) => figure.pieces).filter((pieces) => pieces.length > 1);
  const passengers = (pieces: Piece[]) =>
    pieces.filter(({ role }) => role === 'passenger').map((piece) => piece.kind);
  return {
    terrain: own.length < all.length ? own : [],
    carries: distinct(stacks.filter(([carrier]) => carrier?.kind === kind).flatMap(passengers)),
    carriedBy: distinct(
      stacks
        .filter((pieces) => passengers(pieces).includes(kind))
        .flatMap(([carrier]) => carrier?.kind ?? []),
    ),
  };
}
