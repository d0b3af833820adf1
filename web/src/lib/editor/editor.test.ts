import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Editor } from './editor.svelte';
import { UnreachableError } from '../platform/retry';

const { position } = vi.hoisted(() => {
  vi.stubGlobal('navigator', { language: 'en' });
  return { position: vi.fn<() => Promise<unknown>>() };
});
vi.mock('../api', () => ({ api: { position }, ApiError: class extends Error {}, errorMessage: String }));

beforeEach(() => {
  vi.useFakeTimers();
  position.mockReset().mockImplementation(() => Promise.reject(new UnreachableError('down')));
});
afterEach(() => void vi.useRealTimers());

const newEditor = () => new Editor({ kind: 'chess' }, undefined, undefined);

test('an error of the start position disappears once the backend can be reached', async () => {
  const editor = newEditor();
  await editor.setStartPosition();
  expect(editor.error).not.toBe('');
  position.mockImplementation(() => Promise.resolve({}));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(editor.error).toBe('');
});

test('after the page is left, the backend is not asked any more', async () => {
  const editor = newEditor();
  await editor.setStartPosition();
  editor.destroy();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(position).toHaveBeenCalledTimes(1);
});

test('a request that fails after the page is left starts no probe', async () => {
  const editor = newEditor();
  const request = editor.setStartPosition();
  editor.destroy();
  await request;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(position).toHaveBeenCalledTimes(1);
});
