import type * as raw from './wasm/all.js';

/** The functions of a WebAssembly module. A module of one game has only those of its game. */
export type Raw = typeof raw;

/** The handle of a game in a WebAssembly module. */
export type RawGame = raw.RawGame;

/** A worker, in a browser or in Node. */
export interface Port {
  postMessage(message: unknown): void;
  terminate(): unknown;
  onMessage(listener: (message: unknown) => void): void;
  onError(listener: (error: Error) => void): void;
  /** Keeps the process alive while a search runs, and only then. */
  keepAlive(alive: boolean): void;
}

/** A WebAssembly module that is ready to use. */
export interface Core {
  readonly raw: Raw;
  readonly memory: WebAssembly.Memory;
  readonly module: WebAssembly.Module;
  /** Starts a worker with the program that searches with this module. */
  startWorker(): Port;
  /** Loads the file of a game's evaluation network, once. */
  loadNetwork(kind: string): Promise<Uint8Array>;
}

/** The constants of a kind of game. */
export interface KindInfo {
  /** The name of the game. */
  readonly name: string;
  /** The names of the players; the first moves first in the start position. */
  readonly players: readonly [string, string];
  /** The names of the rules, the default first. */
  readonly rules: readonly string[];
  /** Rows, columns and planes of an observation. */
  readonly observationShape: readonly [number, number, number];
  /** The names of the planes, in order. */
  readonly planes: readonly string[];
  /** The id of the observation encoding. */
  readonly encoding: string;
  /** The id of the policy encoding. */
  readonly policy: string;
  /** The number of policy indices. */
  readonly policySize: number;
  /** The file extension of records. */
  readonly recordExtension: string;
}

const known = new WeakMap<Raw, readonly KindInfo[]>();

/** The constants of the kinds of game in a module. */
export function kindsOf(raw: Raw): readonly KindInfo[] {
  let kinds = known.get(raw);
  if (!kinds) {
    kinds = JSON.parse(raw.kinds()) as KindInfo[];
    known.set(raw, kinds);
  }
  return kinds;
}
