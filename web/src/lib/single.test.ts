import { expect, test } from 'vitest';
import { single } from './single';

test('what is called meanwhile is dropped, what is called afterwards is done', async () => {
  const done: string[] = [];
  let finish = (): void => undefined;
  const act = single(async (name: string) => {
    done.push(name);
    await new Promise<void>((resolve) => (finish = resolve));
  });
  const first = act('first');
  await act('meanwhile');
  finish();
  await first;
  const second = act('second');
  finish();
  await second;
  expect(done).toEqual(['first', 'second']);
});

test('who fails is not busy for ever', async () => {
  const act = single(() => Promise.reject(new Error('no')));
  await expect(act()).rejects.toThrow('no');
  await expect(act()).rejects.toThrow('no');
});
