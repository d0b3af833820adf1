import { load } from './platform.js';
import * as glue from './wasm/chess.js';

/** The WebAssembly module of chess. */
export const core = await load(
  glue,
  new URL('./wasm/chess.wasm', import.meta.url),
  'chess-worker.node.js',
  // Bundlers look for exactly this expression.
  () => new Worker(new URL('./wasm/chess-worker.js', import.meta.url), { type: 'module' }),
  {
    chess: () => new URL('./nets/chess.net', import.meta.url),
  },
);
