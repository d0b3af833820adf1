import { expect, test } from 'vitest';
import { knownReview, recordRequest, rememberRecord, rememberReview } from './known-records';
import { savedReview } from './saved-review';
import type { Annotations, GameReview, ParsedRecord } from './types';

const line = { kind: 'chess', rules: 'standard', position: 'start', moves: ['e2e4'] };
const note = (comment: string): Annotations => ({ notes: [{ ply: 1, glyphs: [], comment }], variations: [] });
const review = (comment: string) =>
  ({ review: { start: {}, turns: [{ to: 1 }] }, annotations: note(comment) }) as unknown as GameReview;
const record = (moves: Partial<ParsedRecord>) =>
  ({ tags: [['White', 'An']], annotations: note('mine'), review: null, ...moves }) as ParsedRecord;

test('the record of a line keeps the annotations it was loaded with, and its review', () => {
  expect(recordRequest(line)).toEqual(line);
  rememberRecord(line, record({}));
  expect(knownReview(line, null)).toBeNull();
  expect(recordRequest(line)).toEqual({ ...line, tags: [['White', 'An']], annotations: note('mine') });
  rememberReview(line, review('[%eval 0.1]'));
  expect(recordRequest(line)).toMatchObject({ annotations: note('mine'), review: note('[%eval 0.1]') });
  // Another line is another record.
  expect(recordRequest({ ...line, moves: ['d2d4'] })).toEqual({ ...line, moves: ['d2d4'] });
});

test('a loaded record with a review has it at once', () => {
  const { review: found } = review('');
  rememberRecord({ ...line, moves: ['c2c4'] }, record({ review: found }));
  expect(knownReview({ ...line, moves: ['c2c4'] }, null)).toEqual({
    review: found,
    annotations: note('mine'),
  });
  // It is in the annotations: writing it once more would change those of others.
  expect(recordRequest({ ...line, moves: ['c2c4'] })).not.toHaveProperty('review');
});

test('a review survives a reload in the history of the browser', () => {
  const other = { ...line, moves: ['b2b4'] };
  expect(knownReview(other, savedReview(review('')))).toEqual(review(''));
  for (const state of [
    null,
    {},
    { review: {} },
    { review: { review: { start: {}, turns: [{ to: 9 }] }, annotations: {} } },
  ])
    expect(knownReview(other, state)).toBeNull();
});
