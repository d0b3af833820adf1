// What is known of a line, in the state of an entry of the browser's history, so that it survives a reload.

import type { KnownRecord } from './known-records';

/** The state that keeps what is known of a line. */
export function savedRecord(record: KnownRecord): { record: KnownRecord } {
  return { record };
}

/** What the state of an entry knows of a line with this many moves, if it does. Another version may have written the state. */
export function asKnownRecord(state: unknown, plies: number): KnownRecord | null {
  const { record } = Object(state) as { record?: Partial<KnownRecord> };
  if (!record?.annotations || !Array.isArray(record.tags) || record.review === undefined) return null;
  if (record.review === null) return record as KnownRecord;
  const { review, annotations } = record.review;
  const turns = review?.turns;
  if (!review?.start || !annotations || !Array.isArray(turns)) return null;
  const last = turns.at(-1)?.to;
  return last !== undefined && last <= plies ? (record as KnownRecord) : null;
}
