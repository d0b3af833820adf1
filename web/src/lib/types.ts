// The types of the API, and what has no Rust type in the contract.

import type { ByPlayer, Game, Player, Seat } from './types.generated';

export * from './types.generated';

export type Tags = Game['tags'];
export type Seats = ByPlayer<Seat>;

/** A message of the WebSocket of a game. */
export type GameMessage =
  { type: 'game'; game: Game } | { type: 'current'; version: number } | { type: 'deleted' };

export function opponent(player: Player): Player {
  return player === 'first' ? 'second' : 'first';
}
