import { compile, port } from '#platform';

import type { Core, Raw } from './core.js';
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
      // For Node; not an address, because bundlers for browsers would copy the file.
      'wasm/chess-worker.node.js',
      // Bundlers look for exactly this expression.
      () => new Worker(new URL('./wasm/chess-worker.js', import.meta.url), { type: 'module' }),
    ),
};
