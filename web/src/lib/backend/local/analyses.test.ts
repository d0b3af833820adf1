import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AnalysisMessage } from '../../types';
import { UnreachableError } from '../../platform/retry';
import type { AnalysisHandlers } from '../backend';
import { ApiError } from '../errors';
import { Analyses } from './analyses';
import { internalError } from './protocol';

vi.hoisted(() => vi.stubGlobal('navigator', { language: 'en' }));

const REQUEST = { type: 'analyze' as const, id: 1, position: { kind: 'chess' }, lines: 1, time: 1000 };
const started = (id: number): AnalysisMessage => ({ type: 'started', id });

/** Handlers that log what they are called with. */
function logTo(log: string[], name: string): AnalysisHandlers {
  return {
    message: ({ type, id }) => log.push(`${name} ${type} ${id}`),
    connected: () => log.push(`${name} connected`),
    disconnected: () => log.push(`${name} disconnected`),
  };
}

let log: string[];
let sent: number[];
let respond: (analysis: number) => Promise<unknown>;
let analyses: Analyses;
beforeEach(() => {
  vi.useFakeTimers();
  log = [];
  sent = [];
  respond = () => Promise.resolve();
  analyses = new Analyses(
    (analysis) => {
      sent.push(analysis);
      return respond(analysis);
    },
    () => log.push('stopped'),
  );
});
afterEach(() => void vi.useRealTimers());

test('a late message of a closed analysis does not reach the next one', async () => {
  const first = analyses.open(logTo(log, 'first'));
  await vi.runAllTimersAsync();
  first.send(REQUEST);
  first.close();
  const second = analyses.open(logTo(log, 'second'));
  await vi.runAllTimersAsync();
  second.send(REQUEST);
  const [old = 0, current = 0] = sent;
  // Both requests have the same id.
  analyses.receive(old, started(1));
  analyses.receive(current, started(1));
  first.close();
  expect(log).toEqual(['first connected', 'stopped', 'second connected', 'second started 1']);
});

test('an analysis that is closed at once is not connected', async () => {
  analyses.open(logTo(log, 'first')).close();
  await vi.runAllTimersAsync();
  expect(log).toEqual(['stopped']);
});

test('connects again after the backend was unreachable, and reports what it rejects', async () => {
  const analysis = analyses.open(logTo(log, 'one'));
  await vi.runAllTimersAsync();
  respond = () => Promise.reject(new UnreachableError());
  analysis.send(REQUEST);
  await vi.runAllTimersAsync();
  respond = () => Promise.reject(new ApiError(internalError('')));
  analysis.send(REQUEST);
  await vi.runAllTimersAsync();
  analyses.reconnect();
  expect(log).toEqual([
    'one connected',
    'one disconnected',
    'one connected',
    'one error 1',
    'one disconnected',
    'one connected',
  ]);
});
