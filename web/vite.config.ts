import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { rulesPlugin } from './rules-plugin.ts';
import { sitePlugin } from './site/plugin.ts';

// `npm run dev` proxies the API to a running `sandtable serve`.
const server = process.env.SANDTABLE_SERVER ?? 'http://127.0.0.1:8080';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The output of wasm-bindgen for all games (`cargo xtask site`). */
const wasm = process.env.SANDTABLE_WASM ?? path('../target/wasm/all');

// The mode `site` builds the page that needs no server, as static files with relative addresses.
export default defineConfig(({ mode }) => {
  const isSite = mode === 'site';
  return {
    base: isSite ? './' : '/',
    plugins: [rulesPlugin(), svelte(), ...(isSite ? [sitePlugin(wasm)] : [])],
    resolve: {
      alias: {
        '#backend': path(`src/lib/backend/${isSite ? 'local' : 'server'}.ts`),
        '#nets': path('../crates/engine/nets'),
        '#puzzles': path('../crates/cli/puzzles'),
        '#wasm': wasm,
      },
    },
    build: {
      target: 'es2022',
      // A style sheet that could not be loaded with a part of the page would not be requested again.
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      outDir: isSite ? 'dist-site' : 'dist',
    },
    worker: { format: 'es' },
    server: {
      // Keep the host, because the server rejects requests from other origins.
      proxy: { '/api': { target: server, ws: true, changeOrigin: false } },
      // The rules of the games are in docs/rules.
      fs: { allow: [path('.'), path('../docs/rules')] },
    },
    // A test that imports a module compiles it, which takes long on a busy machine.
    test: { include: ['src/**/*.test.ts'], testTimeout: 60_000 },
  };
});
