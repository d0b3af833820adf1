import { load } from './platform.js';
import * as glue from './wasm/all.js';

/** The WebAssembly module of all games. */
export const core = await load(
  glue,
  new URL('./wasm/all.wasm', import.meta.url),
  'all-worker.node.js',
  // Bundlers look for exactly this expression.
  () => new Worker(new URL('./wasm/all-worker.js', import.meta.url), { type: 'module' }),
  {
    chess: () => new URL('./nets/chess.net', import.meta.url),
    cotulenh: () => new URL('./nets/cotulenh.net', import.meta.url),
    tribun: () => new URL('./nets/tribun.net', import.meta.url),
  },
);
