// The names of the engine's levels, and what they do.

import { formatNumber, t, type Key } from '../../i18n';
import type { Kind } from '../types';

export function levelName(level: number): string {
  return t(`level.${level}` as Key);
}

/** How strong a level is in a game, and what it does. */
export function levelStrength(kind: Kind, level: number): string {
  const elo = kind.level_elo[level];
  // Digits without separators: an Elo is a name of a strength rather than a quantity.
  const measured = elo === null || elo === undefined ? [] : [t('level.elo', { elo: String(elo) })];
  return [...measured, whatItDoes(kind, level)].join(' ');
}

function whatItDoes(kind: Kind, level: number): string {
  if (level === 0) return t('level.strength.random');
  const nodes = kind.level_nodes[level];
  return nodes ? t('level.strength.nodes', { count: formatNumber(nodes) }) : t('level.strength.full');
}
