// The names of the engine's levels, and what they do.

import { formatNumber, t, type Key } from '../i18n';
import type { Kind } from './types';

export function levelName(level: number): string {
  return t(`level.${level}` as Key);
}

/** What a level does, as a sentence. */
export function levelStrength(kind: Kind, level: number): string {
  if (level === 0) return t('level.strength.random');
  const nodes = kind.level_nodes[level];
  return nodes ? t('level.strength.nodes', { count: formatNumber(nodes) }) : t('level.strength.full');
}
