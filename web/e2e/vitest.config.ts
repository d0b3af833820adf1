import { resolve } from 'node:path';
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
  // Tests read puzzles with the module of the page.
  resolve: { alias: { '#puzzles': resolve(import.meta.dirname, '../../crates/cli/puzzles') } },
  test: {
    root: import.meta.dirname,
    include,
    exclude:
      site === undefined
        ? ['site.test.ts']
        : ['dev-server.test.ts', 'element.test.ts', 'example.test.ts', 'seats.test.ts', 'lobby.test.ts'],
    // More than one file at a time, because most of the time they wait; not more than two, because each starts a server,
    // an engine and a browser.
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    // The same as the default timeout of a page (environment.ts).
    expect: { poll: { timeout: 20_000 } },
  },
});
