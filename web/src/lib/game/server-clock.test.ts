import { expect, test } from 'vitest';
import { ServerClock } from './server-clock';

test('the fastest message is the best estimate', () => {
  const clock = new ServerClock();
  clock.observe(1_000, 1_300);
  expect(clock.toBrowser(2_000)).toBe(2_300);
  clock.observe(3_000, 3_100);
  expect(clock.toBrowser(3_000)).toBe(3_100);
});

test('a late message does not move the clock', () => {
  const clock = new ServerClock();
  clock.observe(1_000, 1_100);
  clock.observe(2_000, 6_500);
  expect(clock.toBrowser(2_000)).toBe(2_100);
});

test('a clock that was set is followed in both directions', () => {
  const clock = new ServerClock();
  clock.observe(1_000, 1_100);
  clock.observe(2_000, 3_602_000);
  expect(clock.toBrowser(2_000)).toBe(3_602_000);
  clock.observe(3_000, 3_050);
  expect(clock.toBrowser(3_000)).toBe(3_050);
});
