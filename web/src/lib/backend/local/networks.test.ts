import { expect, test, vi } from 'vitest';
import { kindOf, Networks } from './networks';

const file = new Uint8Array([1, 2, 3]);
const found = () => Promise.resolve(new Response(file));

test('a network is loaded once, by the first search in its game', async () => {
  const install = vi.fn();
  const load = vi.fn(found);
  const networks = new Networks({ chess: 'chess.net', tribun: 'tribun.net' }, install, vi.fn(), load);
  expect(load).not.toHaveBeenCalled();
  await networks.ready('chess');
  await networks.ready('chess');
  expect(load.mock.calls).toEqual([['chess.net']]);
  expect(install.mock.calls).toEqual([['chess', file]]);
  await networks.ready('tribun');
  expect(install).toHaveBeenCalledTimes(2);
});

test('a game without a network needs none', async () => {
  const load = vi.fn(found);
  await new Networks({}, vi.fn(), vi.fn(), load).ready('chess');
  expect(load).not.toHaveBeenCalled();
});

test('without its network a search goes on, with a warning, and the next one tries again', async () => {
  const answers = [
    () => Promise.reject(new Error('offline')),
    () => Promise.resolve(new Response('', { status: 404 })),
    found,
    found,
  ];
  const install = vi.fn(() => {
    if (install.mock.calls.length === 1) throw new Error('damaged');
  });
  const warnings: string[] = [];
  const networks = new Networks(
    { chess: 'chess.net' },
    install,
    (message) => warnings.push(message),
    () => answers.shift()!(),
  );
  for (let i = 0; i < 5; i++) await networks.ready('chess');
  expect(warnings).toEqual([
    'no evaluation network for chess: Error: offline',
    'no evaluation network for chess: Error: status 404',
    'no evaluation network for chess: Error: damaged',
  ]);
  expect(install).toHaveBeenCalledTimes(2);
});

test('tasks and requests name their game', () => {
  expect(kindOf('{"position":{"kind":"tribun","moves":[]},"task":{"type":"move"}}')).toBe('tribun');
  expect(kindOf('{"id":1}')).toBe('');
});
