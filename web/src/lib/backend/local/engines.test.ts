import { beforeEach, expect, test } from 'vitest';
import { EnginePool, type EngineRequest, type EngineResponse, type EngineWorker } from './engines';

class FakeWorker implements EngineWorker {
  onmessage: Worker['onmessage'] = null;
  onerror: Worker['onerror'] = null;
  isTerminated = false;
  requests: EngineRequest[] = [];
  postMessage(request: EngineRequest): void {
    this.requests.push(request);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  respond(data: EngineResponse): void {
    this.onmessage?.call(this as never, { data } as MessageEvent);
  }
  crash(message: string): void {
    this.onerror?.call(this as never, { message, preventDefault: () => undefined } as ErrorEvent);
  }
}

let workers: FakeWorker[];
let pool: EnginePool;
beforeEach(() => {
  workers = [];
  pool = new EnginePool(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  });
});

test('a worker is used again after its search', async () => {
  const first = pool.decide('one');
  workers[0]!.respond({ type: 'decided', decision: 'd' });
  expect(await first.decision).toBe('d');
  first.stop();
  void pool.decide('two');
  expect(workers).toHaveLength(1);
  expect(workers[0]).toMatchObject({ isTerminated: false });
  expect(workers[0]!.requests).toEqual([
    { type: 'decide', task: 'one' },
    { type: 'decide', task: 'two' },
  ]);
});

test('stopping ends the worker and starts a spare one', async () => {
  const search = pool.decide('one');
  search.stop();
  expect(await search.decision).toBeUndefined();
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
  void pool.decide('two');
  expect(workers).toHaveLength(2);
  expect(workers[1]!.requests).toEqual([{ type: 'decide', task: 'two' }]);
});

test('at most two engines decide at the same time', async () => {
  const searches = ['one', 'two', 'three', 'four'].map((task) => pool.decide(task));
  expect(workers).toHaveLength(2);
  // A search that has not begun is stopped without a worker.
  searches[2]!.stop();
  expect(await searches[2]!.decision).toBeUndefined();
  workers[0]!.respond({ type: 'decided', decision: 'd' });
  expect(workers[0]!.requests.at(-1)).toEqual({ type: 'decide', task: 'four' });
});

test('a crash rejects the decision, and the next search gets a new worker', async () => {
  const search = pool.decide('one');
  workers[0]!.crash('unreachable');
  await expect(search.decision).rejects.toThrow('the engine failed');
  void pool.decide('two');
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
});

test('an analysis sends messages until it ends', () => {
  const messages: string[] = [];
  const stop = pool.analyze('{"id":7}', (message) => messages.push(message));
  for (const message of ['started', 'report', 'done']) workers[0]!.respond({ type: 'message', message });
  workers[0]!.respond({ type: 'analysed' });
  workers[0]!.respond({ type: 'message', message: 'late' });
  stop();
  expect(messages).toEqual(['started', 'report', 'done']);
  expect(workers[0]!.isTerminated).toBe(false);
});

test('a stopped analysis sends nothing more, and errors have a body', () => {
  const messages: string[] = [];
  pool.analyze('{"id":1}', (message) => messages.push(message))();
  workers[0]!.respond({ type: 'message', message: 'late' });
  expect(messages).toEqual([]);
  pool.analyze('{"id":2}', (message) => messages.push(message));
  workers[1]!.crash('out of memory');
  expect(messages.map((message) => JSON.parse(message) as unknown)).toMatchObject([
    { type: 'error', id: 2, error: { code: 'internal', message: 'out of memory' } },
  ]);
});
