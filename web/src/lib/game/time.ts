// Times of clocks as text.

import { t } from '../../i18n';
import type { ClockSettings } from '../types';
import { LOW_TIME, MINUTE, SECOND } from '../platform/time-limits';

/** A clock time, with tenths of a second when it is low: `12:05`, `0:09.3`. */
export function formatTime(ms: number): string {
  const seconds = Math.floor(ms / SECOND);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return ms < LOW_TIME ? `${text}.${Math.floor((ms % SECOND) / 100)}` : text;
}

/** A time control in words: `3 min + 2 s`. */
export function describeClock(clock: ClockSettings | null | undefined): string {
  if (!clock) return t('home.clock.none');
  const { initial, increment = 0, delay = 0, max_game = null } = clock;
  const minutes = (ms: number) => Math.round((100 * ms) / MINUTE) / 100;
  const parts = [
    t('home.clock.minutes', { minutes: minutes(initial), seconds: increment / SECOND }),
    delay > 0 ? t('clock.delay', { seconds: delay / SECOND }) : '',
    max_game === null ? '' : t('clock.limit', { minutes: minutes(max_game) }),
  ];
  return parts.filter(Boolean).join(', ');
}
