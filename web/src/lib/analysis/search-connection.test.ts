import { beforeEach, expect, test, vi } from 'vitest';
import type { AnalysisHandlers } from '../backend/backend';
import type { StartSearch } from '../types';
import { SearchConnection } from './search-connection';

const { opened, sent, close } = vi.hoisted(() => ({
  opened: [] as AnalysisHandlers[],
  sent: [] as StartSearch[],
  close: vi.fn(),
}));
vi.mock('../api', () => ({
  api: {
    openAnalysis: (on: AnalysisHandlers) => {
      opened.push(on);
      return { send: (request: StartSearch) => sent.push(request), close };
    },
  },
}));

const request = (id: number): StartSearch => ({ type: 'analyze', id, position: { kind: 'chess' }, lines: 1 });
const disconnected = vi.fn();
let connection: SearchConnection;
beforeEach(() => {
  vi.clearAllMocks();
  opened.length = 0;
  sent.length = 0;
  connection = new SearchConnection({ message: () => undefined, disconnected });
});

test('the latest request is sent once connected, and again after every reconnection', () => {
  let id = 0;
  connection.send(() => request(-1));
  connection.send(() => request(++id));
  expect([opened.length, sent.length]).toEqual([1, 0]);
  opened[0]?.connected();
  opened[0]?.disconnected();
  opened[0]?.connected();
  expect(sent.map((search) => search.id)).toEqual([1, 2]);
  expect(disconnected).toHaveBeenCalledOnce();
});

test('a request replaces the current one at once while connected', () => {
  connection.send(() => request(1));
  opened[0]?.connected();
  connection.send(() => request(2));
  expect(sent.map((search) => search.id)).toEqual([1, 2]);
});

test('after the end, a new request opens a new connection', () => {
  connection.send(() => request(1));
  expect(connection.isOpen).toBe(true);
  connection.close();
  expect([connection.isOpen, close.mock.calls.length]).toEqual([false, 1]);
  connection.send(() => request(2));
  expect(opened.length).toBe(2);
});
