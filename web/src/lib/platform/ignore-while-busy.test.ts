import { expect, test } from 'vitest';
import { ignoreWhileBusy } from './ignore-while-busy';

test('ignores calls while one is running and accepts the next', async () => {
  const calls: string[] = [];
  let finish = (): void => undefined;
  const run = ignoreWhileBusy(async (name: string) => {
    calls.push(name);
    await new Promise<void>((resolve) => (finish = resolve));
  });
  const first = run('first');
  await run('ignored');
  finish();
  await first;
  const second = run('second');
  finish();
  await second;
  expect(calls).toEqual(['first', 'second']);
});

test('accepts calls again after a failure', async () => {
  const run = ignoreWhileBusy(() => Promise.reject(new Error('no')));
  await expect(run()).rejects.toThrow('no');
  await expect(run()).rejects.toThrow('no');
});
