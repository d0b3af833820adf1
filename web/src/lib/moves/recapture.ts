// Whether a figure guards an own one: the backend is asked what it could do if the opponent had captured that one.

import { api } from '../api';
import { withAllMoves } from './legal-moves';
import { passTurn } from './passed-turn';
import { sourceCells, targetCells } from './selection';
import type { Figure, LegalMove, View } from '../types';

/** Returns whether one of the moves takes a figure from one cell to another, alone or with others. */
export function hasMove(moves: LegalMove[], from: string, to: string): boolean {
  return moves.some((move) => sourceCells(move).includes(from) && targetCells(move).includes(to));
}

/** All moves of the side that is not to move, if the other one passed; empty if it could not. */
export async function movesAfterPass(view: View): Promise<LegalMove[]> {
  const request = await passTurn(view);
  if (!request) return [];
  const passed = await api.position(request);
  return (await withAllMoves(passed, (legal_offset) => api.position({ ...request, legal_offset })))
    .legal_moves;
}

/** Returns whether a figure of the side that is not to move could capture on a cell that an own figure is on. */
export async function canRecapture(view: View, from: string, to: string): Promise<boolean> {
  const figure = view.board.cells.find(({ name }) => name === to)?.figure;
  if (!figure) return false;
  const { figures } = await api.palette(view.kind, view.rules);
  const captor = figures.find((candidate) => isCounterpart(candidate.figure, figure))?.figure;
  if (!captor) return false;
  const cells = { ...view.arrangement.cells, [to]: captor.letters };
  return hasMove(await movesAfterPass({ ...view, arrangement: { ...view.arrangement, cells } }), from, to);
}

/** Returns whether a figure is the opponent's piece of the kind that leads another figure. */
function isCounterpart(candidate: Figure, { owner, pieces }: Figure): boolean {
  const [piece, leader] = [candidate.pieces[0], pieces[0]];
  return (
    candidate.owner !== owner &&
    candidate.pieces.length === 1 &&
    !candidate.starred &&
    piece?.kind === leader?.kind &&
    piece?.height === leader?.height
  );
}
