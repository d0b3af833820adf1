import { defineConfig } from 'vitest/config';

// One file at a time: every file starts a server, an engine and a browser.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    // The same as the default timeout of a page (environment.ts).
    expect: { poll: { timeout: 8_000 } },
  },
});
