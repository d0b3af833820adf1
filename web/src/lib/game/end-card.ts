// What the card at the end of a game says.

import { opponent, type Game, type NewGame, type PlayedMove, type Player, type Seats } from '../types';

export interface Ending {
  result: 'won' | 'lost' | 'decided' | 'drawn';
  winner: Player | null;
  /** The number of moves as people count them: one of each side. */
  moves: number;
  /** The level of the engine that a player who won should try next. */
  nextLevel: number | null;
}

/** The strongest level. */
const MAX_LEVEL = 9;

/** The ending of a game that is over. */
export function endingOf({ view, you, seats }: Pick<Game, 'view' | 'you' | 'seats'>): Ending {
  const own = you.length === 1 ? you[0] : undefined;
  const { winner } = view.outcome;
  const result = !winner ? 'drawn' : !own ? 'decided' : winner === own ? 'won' : 'lost';
  const other = own && seats[opponent(own)];
  const nextLevel =
    result === 'won' && other?.type === 'engine' && other.level < MAX_LEVEL ? other.level + 1 : null;
  return { result, winner, moves: Math.ceil(countTurns(view.moves_played) / 2), nextLevel };
}

/** The number of turns: the steps of a deployment are one. */
export function countTurns(moves: Pick<PlayedMove, 'player'>[]): number {
  return moves.filter(({ player }, i) => moves[i - 1]?.player !== player).length;
}

/** The seats of a rematch: the players change sides. */
export function swapSeats({ first, second }: Seats): Seats {
  return { first: second, second: first };
}

/** The seats of a game against a stronger engine. */
export function withLevel({ first, second }: Seats, level: number): Seats {
  const change = (seat: Seats['first']) => (seat.type === 'engine' ? { ...seat, level } : seat);
  return { first: change(first), second: change(second) };
}

/** The request for a game like another one, from its start. */
export function nextGame({ view, clock }: Pick<Game, 'view' | 'clock'>, seats: Seats): NewGame {
  const { kind, rules, first_position } = view;
  return {
    ...{ kind, rules, position: first_position, seats },
    clock: clock && {
      ...{ initial: clock.initial, increment: clock.increment },
      ...{ delay: clock.delay, max_game: clock.max_game },
    },
  };
}
