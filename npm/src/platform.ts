// Files and workers of the platform: Node and Deno, or a browser.

import type { Worker as Thread } from 'node:worker_threads';

import type { Core, Port, Raw } from './core.js';

const inNode = typeof process === 'object' && typeof process.versions?.node === 'string';

/** Imports a module of Node. The name is not visible to bundlers, which would look for the module. */
const builtin = async <T>(name: string): Promise<T> =>
  (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as T;

const threads = inNode
  ? await builtin<typeof import('node:worker_threads')>('node:worker_threads')
  : undefined;

/** What wasm-bindgen generates for a module. */
interface Glue {
  initSync(source: { module: WebAssembly.Module }): { memory: WebAssembly.Memory };
}

/**
 * Loads the WebAssembly module at an address. Its worker is, in Node, the program with a name in the same folder; in a
 * browser it is what `start` returns. `networks` are the addresses of the evaluation networks by game.
 */
export async function load(
  glue: Glue,
  address: URL,
  program: string,
  start: () => Worker,
  networks: Record<string, () => URL>,
): Promise<Core> {
  const module = await compile(address);
  const { memory } = glue.initSync({ module });
  const raw = glue as unknown as Raw;
  const loaded = new Map<string, Promise<Uint8Array>>();
  const loadNetwork = (kind: string): Promise<Uint8Array> => {
    let file = loaded.get(kind);
    if (!file) {
      file = loadFile(networks[kind]?.());
      loaded.set(kind, file);
      // The next search tries again.
      file.catch(() => loaded.delete(kind));
    }
    return file;
  };
  return { raw, memory, module, startWorker: () => port(new URL(program, address), start), loadNetwork };
}

async function loadFile(url: URL | undefined): Promise<Uint8Array> {
  if (!url) throw new Error('there is no network for this game');
  if (inNode) return readFile(url);
  return new Uint8Array(await (await fetchFile(url)).arrayBuffer());
}

async function readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { readFile } = await builtin<typeof import('node:fs/promises')>('node:fs/promises');
  return new Uint8Array(await readFile(url));
}

async function fetchFile(url: URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url.href}: ${response.status} ${response.statusText}`);
  return response;
}

/** Compiles a WebAssembly module. */
async function compile(url: URL): Promise<WebAssembly.Module> {
  if (inNode) return WebAssembly.compile(await readFile(url));
  const response = await fetchFile(url);
  // Compiling while the file is loaded needs the MIME type, which not every server sends.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm') ?? false;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Starts a worker: in Node the program with this address, in a browser what `start` returns. */
function port(program: URL, start: () => Worker): Port {
  if (threads) {
    // Options of the process, such as `--input-type`, may not apply to a worker.
    return threadPort(new threads.Worker(program, { execArgv: [] }));
  }
  const worker = start();
  return {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    onMessage: (listener) => {
      worker.onmessage = (event: MessageEvent<unknown>) => listener(event.data);
    },
    onError: (listener) => {
      worker.onerror = (event) => listener(new Error(event.message || 'the worker cannot be loaded'));
    },
    keepAlive: () => {},
  };
}

function threadPort(thread: Thread): Port {
  thread.unref();
  return {
    postMessage: (message) => thread.postMessage(message),
    terminate: () => thread.terminate(),
    onMessage: (listener) => thread.on('message', listener),
    onError: (listener) => thread.on('error', listener),
    keepAlive: (alive) => (alive ? thread.ref() : thread.unref()),
  };
}
