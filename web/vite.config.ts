import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// `npm run dev` proxies the API to a running `sandtable serve`.
const server = process.env.SANDTABLE_SERVER ?? 'http://127.0.0.1:8080';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { '#backend': path('src/lib/backend/server.ts') } },
  build: { target: 'es2022', modulePreload: { polyfill: false } },
  // Keep the host, because the server rejects requests from other origins.
  server: { proxy: { '/api': { target: server, ws: true, changeOrigin: false } } },
  test: { include: ['src/**/*.test.ts'] },
});
