// The page as it is served while it is being written, with the API of a running server behind it.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createServer } from 'vite';
import { world } from './setup';

const there = world();

test('the page that is being written may use the server', async () => {
  process.env.SANDTABLE_SERVER = there.url;
  const vite = await createServer({
    root: resolve(import.meta.dirname, '..'),
    logLevel: 'error',
    server: { port: 0, host: 'localhost' },
  });
  try {
    await vite.listen();
    const url = vite.resolvedUrls?.local[0];
    if (!url) throw new Error('the page is not served');
    const { page } = await there.open(url);
    // The boards on it are asked for with the origin of the page.
    await expect.poll(() => page.locator('.picture svg').count(), { timeout: 30_000 }).toBe(3);
    // So are sockets.
    await page.goto(`${url}#/analysis?kind=chess`);
    await page.locator('[data-testid=engine] li').first().waitFor();
  } finally {
    await vite.close();
  }
});
