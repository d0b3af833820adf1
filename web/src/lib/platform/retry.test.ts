import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { retry, UnreachableError } from './retry';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A request that fails a number of times, then succeeds. */
function failing(times: number) {
  return vi.fn(() => (times-- > 0 ? Promise.reject(new UnreachableError('down')) : Promise.resolve('up')));
}

function recorder() {
  const events: unknown[] = [];
  return {
    events,
    success: (response: unknown) => void events.push(response),
    failure: (error: unknown) => void events.push((error as Error).message),
  };
}

test('retries with growing delays until the server responds', async () => {
  const [send, on] = [failing(3), recorder()];
  retry(send, on);
  // Delays of 500, 1000 and 2000 ms.
  await vi.advanceTimersByTimeAsync(3400);
  expect(on.events).toEqual(['down', 'down', 'down']);
  await vi.advanceTimersByTimeAsync(100);
  expect(on.events).toEqual(['down', 'down', 'down', 'up']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(4);
});

test('stops retrying when cancelled', async () => {
  const [send, on] = [failing(9), recorder()];
  const cancel = retry(send, on);
  await vi.advanceTimersByTimeAsync(100);
  cancel();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(1);
  expect(on.events).toEqual(['down']);
});

test('ignores a response that arrives after cancellation', async () => {
  const on = recorder();
  retry(failing(0), on)();
  await vi.advanceTimersByTimeAsync(0);
  expect(on.events).toEqual([]);
});

test('does not retry after an error response', async () => {
  const send = vi.fn(() => Promise.reject(new Error('no')));
  const on = recorder();
  retry(send, on);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(1);
  expect(on.events).toEqual(['no']);
});

test('waits as long as the server asks', async () => {
  const busy = Object.assign(new Error('too many requests'), { retryAfter: 3 });
  const send = vi.fn().mockRejectedValueOnce(busy).mockResolvedValueOnce('up');
  const on = recorder();
  retry(send, on);
  await vi.advanceTimersByTimeAsync(2900);
  expect(on.events).toEqual(['too many requests']);
  await vi.advanceTimersByTimeAsync(100);
  expect(on.events).toEqual(['too many requests', 'up']);
});
