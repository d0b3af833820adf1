import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('navigator', { language: 'vi-VN' });
});
afterEach(() => void vi.unstubAllGlobals());

/** The settings of a page whose browser has kept this. */
async function after(kept: string | null) {
  vi.stubGlobal('localStorage', { getItem: () => kept });
  return { ...(await import('./settings.svelte')).settings };
}

const defaults = { language: 'vi', theme: 'auto', sound: true, animation: true };

test('what is kept is used', async () => {
  const kept = { language: 'en', theme: 'dark', sound: false, animation: false };
  expect(await after(JSON.stringify(kept))).toEqual(kept);
});

test.each([null, '', 'null', '7', '{"language":"xx","theme":"pink","sound":"loud","older":1}'])(
  'what means nothing is left out: %s',
  async (kept) => {
    expect(await after(kept)).toEqual(defaults);
  },
);

test('a browser that keeps nothing has settings', async () => {
  vi.stubGlobal('localStorage', undefined);
  expect({ ...(await import('./settings.svelte')).settings }).toEqual(defaults);
});
