// What the page knows of lines that are not stored: the annotations of records that were loaded, and reviews. It is kept as long as
// the page is open, so that a line is not reviewed twice and its record keeps everything.

import { asGameReview } from './saved-review';
import type { Annotations, GameReview, ParsedRecord, PositionRequest, WriteRecordRequest } from './types';

export interface KnownRecord {
  tags: ParsedRecord['tags'];
  annotations: Annotations;
  review: GameReview | null;
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
  remember(line, { tags, annotations, review: review && { review, annotations } });
}

/** Remembers the review of a line. */
export function rememberReview(line: PositionRequest, review: GameReview): void {
  const { tags = [], annotations = { notes: [], variations: [] } } = knownRecord(line) ?? {};
  remember(line, { tags, annotations, review });
}

export function knownRecord(line: PositionRequest): KnownRecord | null {
  return records.get(keyOf(line)) ?? null;
}

/** The review of a line: remembered, or saved with the entry of the browser's history. */
export function knownReview(line: PositionRequest, state: unknown): GameReview | null {
  return knownRecord(line)?.review ?? asGameReview(state, line.moves?.length ?? 0);
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
    // A review that was read from the annotations is in them already.
    ...(known?.review && known.review.annotations !== known.annotations
      ? { review: known.review.annotations }
      : {}),
  };
}
