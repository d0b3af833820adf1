import type { Port } from '../core.js';

/** Compiles a WebAssembly module. */
export async function compile(url: URL): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url.href}: ${response.status} ${response.statusText}`);
  // Compiling while the file is loaded needs the MIME type, which not every server sends.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm') ?? false;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Starts a worker. The bundler finds the address in the caller's `new Worker`. */
export function port(_inNode: string, start: () => Worker): Port {
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
