import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { persist, Unreachable } from './persist';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Is out of reach so many times, then there. */
function absent(times: number) {
  return vi.fn(() => (times-- > 0 ? Promise.reject(new Unreachable('gone')) : Promise.resolve('here')));
}

function hearer() {
  const heard: unknown[] = [];
  return {
    heard,
    found: (answer: unknown) => void heard.push(answer),
    failed: (error: unknown) => void heard.push((error as Error).message),
  };
}

test('a server that comes back answers', async () => {
  const [ask, on] = [absent(3), hearer()];
  persist(ask, on);
  // The waits grow: half a second, one, two.
  await vi.advanceTimersByTimeAsync(3400);
  expect(on.heard).toEqual(['gone', 'gone', 'gone']);
  await vi.advanceTimersByTimeAsync(100);
  expect(on.heard).toEqual(['gone', 'gone', 'gone', 'here']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(4);
});

test('what nobody wants any longer is not asked for again', async () => {
  const [ask, on] = [absent(9), hearer()];
  const stop = persist(ask, on);
  await vi.advanceTimersByTimeAsync(100);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(on.heard).toEqual(['gone']);
});

test('an answer that comes too late is not heard', async () => {
  const on = hearer();
  persist(absent(0), on)();
  await vi.advanceTimersByTimeAsync(0);
  expect(on.heard).toEqual([]);
});

test('a refusal is the last word', async () => {
  const ask = vi.fn(() => Promise.reject(new Error('no')));
  const on = hearer();
  persist(ask, on);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(on.heard).toEqual(['no']);
});
