// Modules that exist only in the static build: the output of wasm-bindgen, and data computed from it (site/plugin.ts).

declare module '#wasm/sandtable_wasm.js' {
  type Core = import('./core').Core;
  export function initSync(options: { module: WebAssembly.Module }): unknown;
  export const respond: Core['respond'];
  export const Session: Core['Session'];
  /** Runs an engine task and returns its decision; undefined if it was stopped. */
  export function decide(task: string, seed: number, stop: () => boolean): string | undefined;
  /** Analyses a position and returns why the analysis ended. */
  export function analyse(
    request: string,
    report: (json: string) => void,
    stop: () => boolean,
  ): 'limit' | 'stopped' | 'game_over';
}

declare module '#first-view' {
  /** The response to `kinds`, as JSON. */
  export const kinds: string;
  /** The start positions without legal moves by kind, as JSON. */
  export const positions: Record<string, string>;
}
