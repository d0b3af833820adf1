import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Engine } from './engine.svelte';
import { follow } from './socket';

vi.hoisted(() => vi.stubGlobal('navigator', { language: 'en' }));

/** A socket whose network is the test. */
class Wire {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: Wire[] = [];
  readyState = Wire.CONNECTING;
  sent: string[] = [];
  closings = 0;
  onopen = (): void => undefined;
  onclose = (): void => undefined;
  onmessage = (_: { data: string }): void => undefined;
  constructor() {
    Wire.all.push(this);
  }
  open(): void {
    this.readyState = Wire.OPEN;
    this.onopen();
  }
  say(message: unknown): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closings++;
    this.readyState = 3;
    this.onclose();
  }
}

/** The socket that was made last. */
function wire(): Wire {
  const last = Wire.all.at(-1);
  if (!last) throw new Error('no socket was made');
  return last;
}

beforeEach(() => {
  Wire.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Wire);
  vi.stubGlobal('location', { protocol: 'http:', host: 'table' });
});
afterEach(() => void vi.useRealTimers());

test('what is lost is tried again, until it is closed', () => {
  const lost = vi.fn();
  const following = follow(() => 'x', { message: () => undefined, lost });
  wire().open();
  wire().close();
  vi.advanceTimersByTime(250);
  expect([Wire.all.length, lost.mock.calls.length]).toEqual([2, 1]);
  wire().open();
  following.close();
  vi.advanceTimersByTime(60_000);
  expect([Wire.all.length, lost.mock.calls.length]).toEqual([2, 1]);
});

test('what is closed while it opens is closed when it is open, and says nothing', () => {
  const [open, message] = [vi.fn(), vi.fn()];
  follow(() => 'x', { message, open }).close();
  expect(wire().closings).toBe(0);
  wire().open();
  wire().say({});
  expect(wire().closings).toBe(1);
  expect([open.mock.calls.length, message.mock.calls.length]).toEqual([0, 0]);
});

test('an engine that is lost shows nothing old, and is asked for what is wanted then', () => {
  const engine = new Engine();
  const asked = () => wire().sent.map((text) => (JSON.parse(text) as { said: object }).said);
  engine.analyse({ kind: 'chess' }, 1);
  wire().open();
  wire().say({ type: 'report', id: 1, lines: [] });
  expect(engine.report).not.toBeNull();
  wire().close();
  expect([engine.state, engine.report]).toEqual(['lost', null]);
  engine.analyse({ kind: 'chess', moves: ['e2e4'] }, 1);
  expect(engine.state).toBe('lost');
  vi.advanceTimersByTime(250);
  wire().open();
  expect(engine.state).toBe('queued');
  expect(asked()).toEqual([{ kind: 'chess', moves: ['e2e4'] }]);
});
