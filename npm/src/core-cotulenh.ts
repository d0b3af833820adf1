import { load } from './platform.js';
import * as glue from './wasm/cotulenh.js';

/** The WebAssembly module of Cờ Tư Lệnh. */
export const core = await load(
  glue,
  new URL('./wasm/cotulenh.wasm', import.meta.url),
  'cotulenh-worker.node.js',
  // Bundlers look for exactly this expression.
  () => new Worker(new URL('./wasm/cotulenh-worker.js', import.meta.url), { type: 'module' }),
  {
    cotulenh: () => new URL('./nets/cotulenh.net', import.meta.url),
  },
);
