// What changed between two versions of a game besides its moves, for the people at the page.

import { t, term } from '../../i18n';
import { describeOutcome } from '../text/descriptions';
import { seatName } from './player-name';
import { opponent, type Game, type Player } from '../types';

export interface GameChange {
  kind: 'joined' | 'takenBack' | 'end' | 'offer';
  /** What a screen reader announces. */
  texts: string[];
  /** What the page shows until the next change; empty if the state of the game says it all. */
  notice: string;
}

export function isOpen({ seats }: Game, player: Player): boolean {
  return seats[player].type === 'open';
}

/** Returns the change to a version without a new move; null if there is nothing to tell. `me` is the side of the page. */
export function gameChange(before: Game, next: Game, me: Player | undefined): GameChange | null {
  const { view, draw_offer, draw_declined, take_back_offer } = next;
  const { over } = view.outcome;
  const name = (player: Player) => term(view.players[player]);
  const turn = () => t('game.turn', { player: name(view.turn) });
  const joined = (['first', 'second'] as const).find(
    (player) => isOpen(before, player) && !isOpen(next, player),
  );
  if (joined) {
    const text = t('game.joined', { player: name(joined), name: seatName(next.seats[joined], true) });
    return { kind: 'joined', texts: [text, turn()], notice: '' };
  }
  if (view.moves_played.length < before.view.moves_played.length || (before.view.outcome.over && !over))
    return { kind: 'takenBack', texts: [t('game.takenBack'), turn()], notice: '' };
  if (over && !before.view.outcome.over)
    return { kind: 'end', texts: [describeOutcome(view.outcome, view.players)], notice: '' };
  if (!over && draw_offer !== before.draw_offer) {
    if (draw_offer) return offer(t('game.draw.offered', { player: name(draw_offer) }));
    return offerClosed(
      draw_declined
        ? t('game.draw.declined', { player: name(opponent(draw_declined)) })
        : t('game.draw.closed'),
    );
  }
  if (!over && take_back_offer !== before.take_back_offer)
    return take_back_offer
      ? offer(t('takeBack.offered', { player: name(take_back_offer) }))
      : offerClosed(t('takeBack.closed'));
  if (next.rematch && !before.rematch && next.rematch.by !== me)
    return offer(t('game.rematch.offered', { player: name(next.rematch.by) }));
  return null;
}

function offer(text: string): GameChange {
  return { kind: 'offer', texts: [text], notice: '' };
}

function offerClosed(text: string): GameChange {
  return { kind: 'offer', texts: [text], notice: text };
}
