// The names of the players of a game.

import { t } from '../../i18n';
import { levelName } from './levels';
import type { Seat } from '../types';

/** The name of who plays a side; empty for a person at the screen without a name. */
export function seatName(seat: Seat, isOnline: boolean): string {
  switch (seat.type) {
    case 'engine':
      return t('game.engine', { level: seat.level, name: levelName(seat.level) });
    case 'open':
      return t('player.open');
    case 'human':
      return seat.name ?? (isOnline ? t('player.anonymous') : '');
  }
}
