// The messages between an engine and its worker.

/** A search. */
export interface SearchRequest {
  type: 'search';
  id: number;
  game: { kind: string; rules: string | undefined; first: string; moves: string };
  time?: number | undefined;
  nodes?: number | undefined;
  depth?: number | undefined;
  lines: number;
  level?: number | undefined;
  seed?: number | undefined;
}

/** A message to the worker. */
export type Request =
  | { type: 'init'; module: WebAssembly.Module; hash: number; stopped: Int32Array | undefined }
  | { type: 'clear' }
  /** The file of the evaluation network of a game, before the first search in it. */
  | { type: 'network'; kind: string; bytes: Uint8Array }
  | SearchRequest;

/** A message of the worker. */
export type Answer =
  /** Why a network cannot be used. */
  | { type: 'warning'; message: string }
  | { type: 'info'; id: number; time: number; info: string }
  | { type: 'done'; id: number; move: string | null }
  | { type: 'error'; id: number; error: { code: string; message: string } };

/** The code and message of an exception, as a worker sends them. */
export function describe(error: unknown): { code: string; message: string } {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return {
    code: typeof code === 'string' ? code : 'internal',
    message: typeof message === 'string' ? message : String(error),
  };
}
