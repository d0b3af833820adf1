// What the evaluation bar shows.

import type { Outcome, Score } from '../types';

export interface Evaluation {
  /** The first player's share of the bar, from 0 to 1. */
  share: number;
  text: string;
}

/** The result of a finished game, or else the engine's score; null if neither is known. */
export function evaluate(outcome: Outcome, score: Score | null): Evaluation | null {
  if (outcome.over) {
    if (outcome.winner === null) return { share: 0.5, text: '½–½' };
    return outcome.winner === 'first' ? { share: 1, text: '1–0' } : { share: 0, text: '0–1' };
  }
  return score && { share: scoreShare(score), text: score.text };
}

function scoreShare({ centipawns, mate }: Score): number {
  if (mate !== null) return mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-(centipawns ?? 0) / 250));
}
