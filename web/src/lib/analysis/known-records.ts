// What the page knows of lines that are not stored: the annotations of records that were loaded, and reviews. It is kept as long as
// the page is open, so that a line is not reviewed twice and its record keeps everything.

import { asKnownRecord } from './saved-record';
import type { Annotations, GameReview, ParsedRecord, PositionRequest, WriteRecordRequest } from '../types';

export interface KnownRecord {
  tags: ParsedRecord['tags'];
  annotations: Annotations;
  review: GameReview | null;
  /** Whether the annotations contain the review, so that a record needs nothing else. */
  isContained: boolean;
}

/** How many lines are remembered. */
const MAX_RECORDS = 20;
const records = new Map<string, KnownRecord>();

function keyOf({ kind, rules, position, moves }: PositionRequest): string {
  return JSON.stringify([kind, rules ?? '', position ?? '', moves ?? []]);
}

function remember(line: PositionRequest, record: KnownRecord): void {
  const key = keyOf(line);
  records.delete(key);
  records.set(key, record);
  const [oldest] = records.keys();
  if (records.size > MAX_RECORDS && oldest !== undefined) records.delete(oldest);
}

/** Remembers a record that was loaded. */
export function rememberRecord(line: PositionRequest, { tags, annotations, review }: ParsedRecord): void {
  remember(line, { tags, annotations, review: review && { review, annotations }, isContained: true });
}

/** Remembers the review of a line. */
export function rememberReview(line: PositionRequest, review: GameReview): void {
  const { tags = [], annotations = { notes: [], variations: [] } } = knownRecord(line) ?? {};
  remember(line, { tags, annotations, review, isContained: false });
}

export function knownRecord(line: PositionRequest): KnownRecord | null {
  return records.get(keyOf(line)) ?? null;
}

/** Remembers what is saved with the entry of the browser's history, unless the line is known. */
export function restoreRecord(line: PositionRequest, state: unknown): KnownRecord | null {
  const saved = knownRecord(line) ? null : asKnownRecord(state, line.moves?.length ?? 0);
  if (saved) remember(line, saved);
  return knownRecord(line);
}

/** The request for the record of a line, with everything that is known of it. */
export function recordRequest({ kind, rules, position, moves }: PositionRequest): WriteRecordRequest {
  const known = knownRecord({
    kind,
    ...(rules ? { rules } : {}),
    ...(position ? { position } : {}),
    moves: moves ?? [],
  });
  return {
    kind,
    ...(rules ? { rules } : {}),
    ...(position ? { position } : {}),
    ...(moves ? { moves } : {}),
    ...(known ? { tags: known.tags, annotations: known.annotations } : {}),
    // A review that the annotations contain is not written a second time.
    ...(known?.review && !known.isContained ? { review: known.review.annotations } : {}),
  };
}
