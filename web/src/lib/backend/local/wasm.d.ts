// Modules that exist only in the static build: the output of wasm-bindgen, and data computed from it (site/plugin.ts).

declare module '#wasm/sandtable_wasm.js' {
  type Core = import('./core').Core;
  export function initSync(options: { module: WebAssembly.Module }): unknown;
  export const respond: Core['respond'];
  export const Session: Core['Session'];
  /** Runs an engine task and returns its decision; undefined if it was stopped. */
  export function decide(task: string, stop: () => boolean): string | undefined;
  /** Runs an analysis or a review. Passes on every message of the API, as JSON; the last one has the type `done` or `error`. */
  export function analyze(request: string, send: (message: string) => void, stop: () => boolean): void;
  /** Makes the network of a file the evaluation of a game in all searches from now on. */
  export function installNetwork(kind: string, bytes: Uint8Array): void;
}

declare module '#first-view' {
  /** The response to `kinds`, as JSON. */
  export const kinds: string;
  /** The start positions without legal moves by kind, as JSON. */
  export const positions: Record<string, string>;
}
