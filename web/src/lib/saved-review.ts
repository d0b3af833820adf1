// A review in the state of an entry of the browser's history, so that it survives a reload.

import type { GameReview } from './types';

/** The state that keeps a review. */
export function savedReview(review: GameReview): { review: GameReview } {
  return { review };
}

/** The review in the state of an entry, if it is one of a line with this many moves. Another version may have written the state. */
export function asGameReview(state: unknown, plies: number): GameReview | null {
  const { review: saved } = Object(state) as { review?: Partial<GameReview> };
  const turns = saved?.review?.turns;
  if (!saved?.review?.start || !saved.annotations || !Array.isArray(turns)) return null;
  const last = turns.at(-1)?.to;
  return last !== undefined && last <= plies ? (saved as GameReview) : null;
}
