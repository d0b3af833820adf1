import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refusal, Unreachable } from './api';
import { patiently } from './patience';

vi.hoisted(() => vi.stubGlobal('navigator', { language: 'en' }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const away = () => Promise.reject(new Unreachable('away'));

test('a server that comes back is heard', async () => {
  const ask = vi
    .fn(() => Promise.resolve('here'))
    .mockImplementationOnce(away)
    .mockImplementationOnce(away);
  const wanted = vi.fn(() => true);
  const answer = patiently(ask, wanted);
  await vi.advanceTimersByTimeAsync(1499);
  expect(ask).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(await answer).toBe('here');
  expect(wanted).toHaveBeenCalledTimes(2);
});

test('nobody asks for what nobody wants any more', async () => {
  const ask = vi.fn(away);
  await expect(patiently(ask, () => false)).rejects.toThrow('away');
  expect(ask).toHaveBeenCalledTimes(1);
});

test('a refusal is an answer', async () => {
  const ask = vi.fn(() => Promise.reject(new Refusal(422, { error: 'bad', message: 'no such game' })));
  await expect(patiently(ask, () => true)).rejects.toThrow('no such game');
  expect(ask).toHaveBeenCalledTimes(1);
});
