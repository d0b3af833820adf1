import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

import type { Port } from '../core.js';

/** Compiles a WebAssembly module. */
export async function compile(url: URL): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(url));
}

/** Starts a worker thread. */
export function port(program: string, _start: () => globalThis.Worker): Port {
  const worker = new Worker(new URL(program, new URL('../', import.meta.url)), {
    // Options of the process, such as `--input-type`, may not apply to a worker.
    execArgv: [],
  });
  worker.unref();
  return {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    onMessage: (listener) => worker.on('message', listener),
    onError: (listener) => worker.on('error', listener),
    keepAlive: (alive) => (alive ? worker.ref() : worker.unref()),
  };
}
