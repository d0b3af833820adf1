import { defineConfig } from 'vitest/config';

/** The tests of the static page: a selection, or `SANDTABLE_SITE=all`. The others test the page with a server. */
const SITE: Record<string, string[]> = {
  selection: ['site.test.ts', 'full-games.test.ts'],
  all: ['*.test.ts'],
};
const site = process.env.SANDTABLE_SITE;
const include = site === undefined ? ['*.test.ts'] : SITE[site];
if (!include)
  throw new Error(`unknown SANDTABLE_SITE \`${site}\`: expected ${Object.keys(SITE).join(' or ')}`);

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include,
    exclude:
      site === undefined ? ['site.test.ts'] : ['dev-server.test.ts', 'element.test.ts', 'example.test.ts'],
    // With a server one file at a time: every file starts a server, an engine and a browser. The static page spends most
    // of the time waiting for clocks and updates.
    fileParallelism: site === 'selection',
    testTimeout: 240_000,
    hookTimeout: 60_000,
    // The same as the default timeout of a page (environment.ts).
    expect: { poll: { timeout: 8_000 } },
  },
});
