import { load } from './platform.js';
import * as glue from './wasm/tribun.js';

/** The WebAssembly module of Tribun. */
export const core = await load(
  glue,
  new URL('./wasm/tribun.wasm', import.meta.url),
  'tribun-worker.node.js',
  // Bundlers look for exactly this expression.
  () => new Worker(new URL('./wasm/tribun-worker.js', import.meta.url), { type: 'module' }),
  {
    tribun: () => new URL('./nets/tribun.net', import.meta.url),
  },
);
