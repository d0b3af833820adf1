// The names of the engine's levels, and what they do.

import { formatNumber, t, type Key } from '../i18n';

/** How many positions the levels from 1 on search for a move; the last level searches for all its time. */
const NODES = [80, 280, 980, 3_400, 12_000, 42_000, 146_000, 512_000];

export function levelName(level: number): string {
  return t(`level.${level}` as Key);
}

/** What a level does, as a sentence. */
export function levelStrength(level: number): string {
  if (level === 0) return t('level.strength.random');
  const nodes = NODES[level - 1];
  return nodes ? t('level.strength.nodes', { count: formatNumber(nodes) }) : t('level.strength.full');
}
