// How often a player has asked the engine for advice in a game. The browser keeps it, and exported records contain it.

import type { AdviceKind } from './advice.svelte';
import type { ByPlayer, GameRecord, Player } from './types';

type Counts = Partial<Record<`${Player} ${AdviceKind}`, number>>;

const KEY = 'sandtable-advice';
/** The number of games that are remembered, the latest ones. */
const MAX_GAMES = 200;
const TAGS: Record<AdviceKind, string> = { hint: 'Hints', threats: 'Threats' };

function read(): [id: string, counts: Counts][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? (stored as [string, Counts][]) : [];
  } catch {
    return [];
  }
}

/** Notes that a player got advice in a game. */
export function noteAdvice(id: string, player: Player, kind: AdviceKind): void {
  const games = read();
  const counts = games.find(([known]) => known === id)?.[1] ?? {};
  const key = `${player} ${kind}` as const;
  const others = games.filter(([known]) => known !== id).slice(-MAX_GAMES + 1);
  try {
    const next = { ...counts, [key]: (counts[key] ?? 0) + 1 };
    localStorage.setItem(KEY, JSON.stringify([...others, [id, next]]));
  } catch {
    // Storage may be blocked; the record then lacks the note.
  }
}

/** Adds the advice that the players got to a record, as tags such as `[WhiteHints "2"]`. */
export function withAdviceTags(id: string, record: GameRecord, players: ByPlayer<string>): GameRecord {
  const counts = read().find(([known]) => known === id)?.[1] ?? {};
  const lines = Object.entries(counts).map(([key, count]) => {
    const [player, kind] = key.split(' ') as [Player, AdviceKind];
    return `[${players[player]}${TAGS[kind]} "${count}"]\n`;
  });
  if (lines.length === 0) return record;
  const tags = /^(\[.*\]\r?\n)*/.exec(record.record)?.[0] ?? '';
  const rest = record.record.slice(tags.length);
  return { ...record, record: tags + lines.join('') + (tags === '' ? '\n' : '') + rest };
}
