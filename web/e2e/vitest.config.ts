import { defineConfig } from 'vitest/config';

// The tests share one machine with a server, an engine and a browser: one file at a time.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    // As long as a tab waits for anything (setup.ts).
    expect: { poll: { timeout: 8_000 } },
  },
});
