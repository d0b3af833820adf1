import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Engine } from '../analysis/engine.svelte';
import { openSocket } from './socket';

vi.hoisted(() => vi.stubGlobal('navigator', { language: 'en' }));

/** A `WebSocket` controlled by the test. */
class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = FakeSocket.CONNECTING;
  sent: string[] = [];
  closeCalls = 0;
  onopen = (): void => undefined;
  onclose = (): void => undefined;
  onmessage = (_: { data: string }): void => undefined;
  constructor() {
    FakeSocket.all.push(this);
  }
  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }
  receive(message: unknown): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closeCalls++;
    this.readyState = 3;
    this.onclose();
  }
}

/** The socket created last. */
function latest(): FakeSocket {
  const last = FakeSocket.all.at(-1);
  if (!last) throw new Error('no socket was created');
  return last;
}

beforeEach(() => {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'example' });
});
afterEach(() => void vi.useRealTimers());

test('reconnects after a lost connection until it is closed', () => {
  const disconnected = vi.fn();
  const socket = openSocket(() => 'x', { message: () => undefined, disconnected });
  latest().open();
  latest().close();
  vi.advanceTimersByTime(250);
  expect([FakeSocket.all.length, disconnected.mock.calls.length]).toEqual([2, 1]);
  latest().open();
  socket.close();
  vi.advanceTimersByTime(60_000);
  expect([FakeSocket.all.length, disconnected.mock.calls.length]).toEqual([2, 1]);
});

test('a socket closed while connecting closes once it is open and calls no handler', () => {
  const [connected, message] = [vi.fn(), vi.fn()];
  openSocket(() => 'x', { message, connected }).close();
  expect(latest().closeCalls).toBe(0);
  latest().open();
  latest().receive({});
  expect(latest().closeCalls).toBe(1);
  expect([connected.mock.calls.length, message.mock.calls.length]).toEqual([0, 0]);
});

test('a disconnected engine clears its report and requests the current position after reconnecting', () => {
  const engine = new Engine();
  const requested = () => latest().sent.map((text) => (JSON.parse(text) as { position: object }).position);
  engine.analyze({ kind: 'chess' }, 1);
  latest().open();
  latest().receive({ type: 'report', id: 1, lines: [] });
  expect(engine.report).not.toBeNull();
  latest().close();
  expect([engine.state, engine.report]).toEqual(['disconnected', null]);
  engine.analyze({ kind: 'chess', moves: ['e2e4'] }, 1);
  expect(engine.state).toBe('disconnected');
  vi.advanceTimersByTime(250);
  latest().open();
  expect(engine.state).toBe('queued');
  expect(requested()).toEqual([{ kind: 'chess', moves: ['e2e4'] }]);
});
