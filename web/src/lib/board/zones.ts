// Zones: cells that are affected by a player's figures, such as fire zones.

import type { Board, Player, View } from '../types';

export interface Zone {
  cell: string;
  owner: Player;
}

/** The cells of the overlays that concern a selected figure: where an enemy shoots at it. */
export function concernedZones(board: Board, selected: string[], overlays: View['overlays']): Zone[] {
  const figures = board.cells.flatMap(({ name, figure }) =>
    figure && selected.includes(name) ? [figure] : [],
  );
  const concerning = overlays.filter(({ owner, concerns }) =>
    figures.some(
      (figure) => figure.owner !== owner && figure.pieces.some((piece) => concerns.includes(piece.kind)),
    ),
  );
  return concerning.flatMap(({ owner, cells }) => cells.map(({ cell }) => ({ cell, owner })));
}
