// The types of the API, and what has no Rust type in the contract.

import type {
  ByPlayer,
  DamagedGame,
  Game,
  GameNotice,
  GameSummary,
  Player,
  SearchRequest,
  Seat,
} from './types.generated';

export * from './types.generated';

export type Seats = ByPlayer<Seat>;

/** A game in the list of games. */
export type ListedGame = GameSummary | DamagedGame;

export function isDamaged(game: ListedGame): game is DamagedGame {
  return 'damaged' in game;
}

/** A message of the WebSocket of a game. */
export type GameMessage =
  | { type: 'game'; game: Game }
  /** A change of the game: `view.moves_played` has the moves from index `kept` on. */
  | { type: 'change'; kept: number; game: Game }
  | GameNotice;

/** A request that starts a search. */
export type StartSearch = Exclude<SearchRequest, { type: 'stop' }>;

export function opponent(player: Player): Player {
  return player === 'first' ? 'second' : 'first';
}
