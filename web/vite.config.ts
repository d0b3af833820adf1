import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// While the page is being written, `npm run dev` serves it and hands the API on to a running `sandtable serve`.
const server = process.env.SANDTABLE_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', modulePreload: { polyfill: false } },
  // The host stays that of the page: the server refuses pages whose origin is another.
  server: { proxy: { '/api': { target: server, ws: true, changeOrigin: false } } },
  test: { include: ['src/**/*.test.ts'] },
});
