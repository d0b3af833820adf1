// The lists of saved games: which games they show, and how they are searched.

import { isDamaged, type GameSummary, type ListedGame, type Player } from '../types';
import { UNPLAYED_AGE } from '../platform/time-limits';

/** Whether nobody has played a move and nobody else waits for one. Such games are not listed, and not kept for long. */
export function isUnplayed(game: ListedGame): boolean {
  if (isDamaged(game) || game.plies > 0) return false;
  const seats = [game.seats.first, game.seats.second];
  const hasOpponent = game.you?.length === 1 && seats.every((seat) => seat.type === 'human');
  return !hasOpponent && !seats.some((seat) => seat.type === 'open');
}

/** The games of a list that are to be deleted. */
export function expired(games: ListedGame[], now: number): ListedGame[] {
  return games.filter((game) => isUnplayed(game) && now - game.updated > UNPLAYED_AGE);
}

/** The side of the player at this screen; undefined if there are both or none. */
export function ownSide({ seats, you }: Pick<GameSummary, 'seats' | 'you'>): Player | undefined {
  if (you) return you.length === 1 ? you[0] : undefined;
  const people = (['first', 'second'] as const).filter((player) => seats[player].type === 'human');
  return people.length === 1 ? people[0] : undefined;
}

/** The latest game that the player at this screen can go on with. */
export function inProgress(games: ListedGame[]): GameSummary | undefined {
  return games.find((game): game is GameSummary => {
    if (isDamaged(game) || isUnplayed(game) || game.outcome.over) return false;
    return game.you ? game.you.length > 0 : [game.seats.first, game.seats.second].some(isPerson);
  });
}

function isPerson({ type }: GameSummary['seats']['first']): boolean {
  return type === 'human';
}

export const STATES = ['all', 'running', 'won', 'lost', 'drawn', 'finished'] as const;
export type State = (typeof STATES)[number];

export interface Filter {
  /** Words that all must occur in the description of a game. */
  text: string;
  /** The name of a game; empty for all. */
  kind: string;
  state: State;
}

export const noFilter: Filter = { text: '', kind: '', state: 'all' };

export function isActive({ text, kind, state }: Filter): boolean {
  return text.trim() !== '' || kind !== '' || state !== 'all';
}

function hasState({ outcome, ...game }: GameSummary, state: State): boolean {
  const own = ownSide(game);
  switch (state) {
    case 'all':
      return true;
    case 'running':
      return !outcome.over;
    case 'finished':
      return outcome.over;
    case 'drawn':
      return outcome.over && outcome.winner === null;
    case 'won':
      return outcome.winner !== null && outcome.winner === own;
    case 'lost':
      return outcome.winner !== null && own !== undefined && outcome.winner !== own;
  }
}

/** Lower case without accents, so that "co tu lenh" finds "Cờ Tư Lệnh". */
function normalize(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('đ', 'd').replaceAll('Đ', 'D').toLowerCase();
}

/** The games that a filter lets through. `describe` returns the text of a game that is searched. */
export function filterGames(
  games: ListedGame[],
  filter: Filter,
  describe: (game: GameSummary) => string,
): ListedGame[] {
  const words = normalize(filter.text).split(/\s+/).filter(Boolean);
  return games.filter((game) => {
    if (isDamaged(game)) return !isActive(filter);
    if (isUnplayed(game)) return false;
    if (filter.kind !== '' && game.kind !== filter.kind) return false;
    if (!hasState(game, filter.state)) return false;
    const text = words.length > 0 ? normalize(describe(game)) : '';
    return words.every((word) => text.includes(word));
  });
}
