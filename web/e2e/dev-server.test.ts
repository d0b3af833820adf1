// The development server proxies the API to a running server.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createServer } from 'vite';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

test('the development server proxies requests and sockets', async () => {
  process.env.SANDTABLE_SERVER = env.url;
  const vite = await createServer({
    root: resolve(import.meta.dirname, '..'),
    logLevel: 'error',
    server: { port: 0, host: 'localhost' },
  });
  try {
    await vite.listen();
    const url = vite.resolvedUrls?.local[0];
    if (!url) throw new Error('the development server has no URL');
    const { page } = await env.open(url);
    // Requests carry the origin of the development server.
    await expect.poll(() => page.locator('.picture > svg').count(), { timeout: 30_000 }).toBe(3);
    // So do sockets.
    await page.goto(`${url}#/analysis?kind=chess`);
    await page.locator('[data-testid=engine] li').first().waitFor();
  } finally {
    await vite.close();
  }
});
