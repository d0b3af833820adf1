import type { Core, Raw } from './core.js';
import { compile, port } from './platform.js';
import * as glue from './wasm/chess.js';

const module = await compile(new URL('./wasm/chess.wasm', import.meta.url));
const { memory } = glue.initSync({ module });

/** The WebAssembly module. */
export const core: Core = {
  raw: glue as unknown as Raw,
  memory,
  module,
  startWorker: () =>
    port(
      './wasm/chess-worker.node.js',
      import.meta.url,
      // Bundlers look for exactly this expression.
      () => new Worker(new URL('./wasm/chess-worker.js', import.meta.url), { type: 'module' }),
    ),
};
