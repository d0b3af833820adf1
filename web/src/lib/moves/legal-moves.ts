// The legal moves of positions with very many of them: a view lists the first ones, and further requests the others.

import type { View } from '../types';

export function isComplete(view: View): boolean {
  return view.legal_moves.length >= view.legal_count;
}

/** The view with all legal moves. `fetchPage` requests the same position with the moves from an index on. */
export async function withAllMoves(view: View, fetchPage: (offset: number) => Promise<View>): Promise<View> {
  const legal_moves = [...view.legal_moves];
  while (legal_moves.length < view.legal_count) {
    const { legal_moves: page } = await fetchPage(legal_moves.length);
    if (page.length === 0) break;
    legal_moves.push(...page);
  }
  return { ...view, legal_moves, legal_count: legal_moves.length };
}
