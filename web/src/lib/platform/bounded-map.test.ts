import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map';

test('a full map forgets everything for a new key, and nothing for a known one', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2);
  map.set('a', 3);
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  map.set('c', 4);
  expect([...map]).toEqual([['c', 4]]);
});
