import type { Core, Raw } from './core.js';
import { compile, port } from './platform.js';
import * as glue from './wasm/cotulenh.js';

const module = await compile(new URL('./wasm/cotulenh.wasm', import.meta.url));
const { memory } = glue.initSync({ module });

/** The WebAssembly module. */
export const core: Core = {
  raw: glue as unknown as Raw,
  memory,
  module,
  startWorker: () =>
    port(
      './wasm/cotulenh-worker.node.js',
      import.meta.url,
      // Bundlers look for exactly this expression.
      () => new Worker(new URL('./wasm/cotulenh-worker.js', import.meta.url), { type: 'module' }),
    ),
};
