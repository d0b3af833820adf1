// A review as the page shows it: the points of its graph, and its errors.

import type { Player, Review, ReviewedTurn } from '../types';

/** A point of the graph: the first position, or the one after a turn. */
export interface Point {
  /** The number of moves before it. */
  ply: number;
  /** The expected score of the first player. */
  expected: number;
  /** The evaluation in words. */
  text: string;
  /** The turn before it; null for the first position. */
  turn: ReviewedTurn | null;
}

export function pointsOf({ start, turns }: Review): Point[] {
  const point = ({ expected, score }: Review['start'], ply: number, turn: ReviewedTurn | null) => ({
    ...{ ply, expected, turn },
    text: score.text,
  });
  return [point(start, turns[0]?.from ?? 0, null), ...turns.map((turn) => point(turn.after, turn.to, turn))];
}

/** The index of the last point at or before a number of moves. */
export function pointAt(points: Point[], ply: number): number {
  return Math.max(
    0,
    points.findLastIndex((point) => point.ply <= ply),
  );
}

/** The indices of the turns that are errors: of one player, or of both. */
export function errorsOf({ turns }: Review, player: Player | null): number[] {
  return [...turns.keys()].filter((index) => {
    const turn = turns[index];
    return turn?.judgement && (player === null || turn.player === player);
  });
}

/** The next error after a turn that can be tried again; the first one after the last. Null if there is no other one. */
export function nextTry(review: Review, player: Player | null, after: number): number | null {
  const errors = errorsOf(review, player).filter((index) => review.turns[index]?.better);
  const next = errors.find((index) => index > after) ?? errors[0];
  return next === undefined || next === after ? null : next;
}

/** The number of a turn as move lists write it: `12.`, or `12…` for the second player. */
export function numberOf({ number, player }: ReviewedTurn): string {
  return `${number}${player === 'first' ? '.' : '…'}`;
}

/** The sign that is written after an error. */
export function suffixOf({ judgement }: Pick<ReviewedTurn, 'judgement'>): string {
  return judgement === null ? '' : { inaccuracy: '?!', mistake: '?', blunder: '??' }[judgement];
}

/** The curve of the expected score in a box of this size, as an SVG path from the left to the right edge. */
export function curve(points: Point[], width: number, height: number): string {
  const at = points.map(
    ({ expected }, i) => `${round(xOf(i, points.length, width))} ${round((1 - expected) * height)}`,
  );
  return `M${at.length === 1 ? `${at[0]}L${width} ${at[0]?.split(' ')[1]}` : at.join('L')}`;
}

/** Where a point is in a box of this width. */
export function xOf(index: number, count: number, width: number): number {
  return count > 1 ? (index / (count - 1)) * width : 0;
}

/** The point nearest to a place in the box, given as a share of its width. */
export function nearest(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.round(share * (count - 1))));
}

const round = (value: number) => Math.round(value * 10) / 10;
