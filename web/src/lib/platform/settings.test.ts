import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('navigator', { language: 'vi-VN' });
});
afterEach(() => void vi.unstubAllGlobals());

/** The settings of a page that finds `stored` in the browser. */
async function loadedFrom(stored: string | null) {
  vi.stubGlobal('localStorage', { getItem: () => stored });
  return { ...(await import('./settings.svelte')).settings };
}

const defaults = {
  language: 'vi',
  theme: 'auto',
  board: 'classic',
  pieces: 'flat',
  coordinates: 'inside',
  sound: true,
  animation: true,
  name: '',
  notifications: false,
  shortcuts: true,
  autoFlip: false,
  cards: true,
  chat: true,
};

test('uses stored settings', async () => {
  const stored = {
    ...{ language: 'en', theme: 'dark', sound: false, animation: false },
    ...{ board: 'slate', pieces: 'relief', coordinates: 'off' },
    ...{ name: 'Lan', notifications: true, chat: false },
    ...{ shortcuts: false, autoFlip: true, cards: false },
  };
  expect(await loadedFrom(JSON.stringify(stored))).toEqual(stored);
});

test.each([
  null,
  '',
  'null',
  '7',
  '{"language":"xx","theme":"pink","board":"pink","pieces":1,"coordinates":"on","sound":"loud","name":7,"older":1}',
])('ignores invalid stored settings: %s', async (stored) => {
  expect(await loadedFrom(stored)).toEqual(defaults);
});

test('uses defaults without storage', async () => {
  vi.stubGlobal('localStorage', undefined);
  expect({ ...(await import('./settings.svelte')).settings }).toEqual(defaults);
});
