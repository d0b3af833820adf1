import { expect, test } from 'vitest';
import { knownRecord, recordRequest, rememberRecord, rememberReview, restoreRecord } from './known-records';
import { savedRecord } from './saved-record';
import type { Annotations, GameReview, ParsedRecord } from '../types';

const line = { kind: 'chess', rules: 'standard', position: 'start', moves: ['e2e4'] };
const note = (comment: string): Annotations => ({ notes: [{ ply: 1, glyphs: [], comment }], variations: [] });
const review = (comment: string) =>
  ({ review: { start: {}, turns: [{ to: 1 }] }, annotations: note(comment) }) as unknown as GameReview;
const record = (moves: Partial<ParsedRecord>) =>
  ({ tags: [['White', 'An']], annotations: note('mine'), review: null, ...moves }) as ParsedRecord;

test('the record of a line keeps the annotations it was loaded with, and its review', () => {
  expect(recordRequest(line)).toEqual(line);
  rememberRecord(line, record({}));
  expect(knownRecord(line)?.review).toBeNull();
  expect(recordRequest(line)).toEqual({ ...line, tags: [['White', 'An']], annotations: note('mine') });
  rememberReview(line, review('[%eval 0.1]'));
  expect(recordRequest(line)).toMatchObject({ annotations: note('mine'), review: note('[%eval 0.1]') });
  // Another line is another record.
  expect(recordRequest({ ...line, moves: ['d2d4'] })).toEqual({ ...line, moves: ['d2d4'] });
});

test('a loaded record with a review has it at once', () => {
  const { review: found } = review('');
  rememberRecord({ ...line, moves: ['c2c4'] }, record({ review: found }));
  expect(knownRecord({ ...line, moves: ['c2c4'] })?.review).toEqual({
    review: found,
    annotations: note('mine'),
  });
  // Its annotations already contain the review, perhaps that of another program.
  expect(recordRequest({ ...line, moves: ['c2c4'] })).not.toHaveProperty('review');
});

test('everything that is known of a line survives a reload in the history of the browser', () => {
  const other = { ...line, moves: ['b2b4'] };
  for (const state of [
    null,
    {},
    { record: {} },
    { record: { tags: [], annotations: note(''), review: {} } },
    {
      record: {
        ...{ tags: [], annotations: note('') },
        review: { review: { start: {}, turns: [{ to: 9 }] }, annotations: {} },
      },
    },
  ])
    expect(restoreRecord(other, state)).toBeNull();
  const known = { tags: record({}).tags, annotations: note('mine'), review: review(''), isContained: false };
  expect(restoreRecord(other, structuredClone(savedRecord(known)))).toEqual(known);
  expect(recordRequest(other)).toEqual({
    ...other,
    ...{ tags: known.tags, annotations: note('mine'), review: note('') },
  });
});
