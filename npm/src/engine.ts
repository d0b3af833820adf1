import * as check from './check.js';
import type { Core, Port } from './core.js';
import { ArgumentError, convert, DisposedError, EngineError, type SandtableError } from './errors.js';
import { Game } from './game.js';
import type { Answer, Request, SearchRequest } from './protocol.js';

/** Options of an engine. */
export interface EngineOptions {
  /** The size of the transposition table in MiB, 1 to 1024; 16 if omitted. */
  hash?: number;
  /** The evaluation of positions: the network of the game, which is loaded by the first search, or the hand-made one. */
  eval?: 'network' | 'hand';
}

/** When a search stops: at the first limit that it reaches. */
export interface SearchLimits {
  /** The time in milliseconds. */
  time?: number;
  /** The number of nodes. */
  nodes?: number;
  /** The depth of the last iteration. */
  depth?: number;
  /** Stops the search. */
  signal?: AbortSignal;
}

/** Options of an analysis. Without a limit it runs until it is stopped. */
export interface AnalyzeOptions extends SearchLimits {
  /** The number of lines to report, 1 to 256; 1 if omitted. */
  lines?: number;
}

/** Options for a single move: one second if there is neither a level nor a limit. */
export interface BestMoveOptions extends SearchLimits {
  /** The level: 0 plays at random, 9 uses all the time it has, two seconds unless `time` is given. */
  level?: number;
}

/** A principal variation. */
export interface Line {
  /** The score for the side to move in centipawns; absent if the line ends in a forced win or loss. */
  readonly centipawns?: number;
  /** Turns until the side to move wins, negative if it loses; absent if neither is forced. */
  readonly mate?: number;
  /** The moves, in the long form that programs exchange. */
  readonly moves: readonly string[];
  /** The moves as people write them. */
  readonly san: readonly string[];
}

/** What a search has found after an iteration. */
export interface SearchInfo {
  /** The last completed iteration. */
  readonly depth: number;
  /** The length of the longest line searched. */
  readonly seldepth: number;
  /** The number of nodes searched. */
  readonly nodes: number;
  /** The time since the start of the search, in milliseconds. */
  readonly time: number;
  /** How full the transposition table is, per mille. */
  readonly hashfull: number;
  /** The best lines, best first. */
  readonly lines: readonly Line[];
}

const MAX_HASH = 1024;
const MAX_LINES = 256;
/** The longest delay that JavaScript timers know. */
const MAX_TIME = 2 ** 31 - 1;
const MAX_NODES = Number.MAX_SAFE_INTEGER;
const MAX_DEPTH = 1000;
/** The time of a search without limits, and that of full strength. */
const DEFAULT_TIME = 1_000;
const FULL_STRENGTH_TIME = 2_000;

/** The running search. */
interface Search {
  readonly id: number;
  onInfo(info: SearchInfo): void;
  onDone(move: string | null): void;
  onError(error: SandtableError): void;
}

/**
 * The engine: alpha-beta search in a worker. Create several to search several positions at once.
 *
 * The worker is started by the first search and does not keep a Node process alive between searches.
 */
export abstract class SearchEngine {
  readonly #core: Core;
  readonly #hash: number;
  /** The number of the search to stop: shared with the worker where the platform allows that. */
  readonly #stopped: Int32Array | undefined;
  readonly #usesNetwork: boolean;
  #port: Port | undefined;
  /** The games whose networks the worker has. */
  #networks = new Set<string>();
  #warning: string | undefined;
  #search: Search | undefined;
  #searches = 0;
  #disposed = false;

  /** @internal */
  protected constructor(core: Core, options?: EngineOptions) {
    const { hash, eval: evaluation } = check.options(options);
    if (evaluation !== undefined && evaluation !== 'network' && evaluation !== 'hand') {
      throw new ArgumentError(`eval must be 'network' or 'hand', not ${String(evaluation)}`);
    }
    this.#core = core;
    this.#usesNetwork = evaluation !== 'hand';
    this.#hash = check.optionalInteger('hash', hash, 1, MAX_HASH) ?? 16;
    if (typeof SharedArrayBuffer === 'function') this.#stopped = new Int32Array(new SharedArrayBuffer(4));
  }

  /**
   * Analyses the position of a game: yields what the search has found after each iteration.
   *
   * The search ends at the first limit, when the loop is left, or when `signal` is aborted; none of these is an error. It
   * works on a copy, so the game may change meanwhile. A game that is over yields nothing.
   */
  analyze(game: Game, options?: AnalyzeOptions): AsyncIterableIterator<SearchInfo, undefined> {
    const wanted = check.options(options);
    const lines = check.optionalInteger('lines', wanted.lines, 1, MAX_LINES) ?? 1;
    const request = { ...this.#limits(game, wanted), lines };
    const { signal } = wanted;
    const found: SearchInfo[] = [];
    let failure: SandtableError | undefined;
    let running = false;
    let ended = false;
    let wake = (): void => {};
    const end = (): void => {
      ended = true;
      signal?.removeEventListener('abort', stop);
      wake();
    };
    const stop = (): void => {
      if (running) this.#stop();
      end();
    };
    const begin = (): void => {
      running = true;
      this.#begin(request, {
        onInfo: (info) => {
          found.push(info);
          wake();
        },
        onDone: () => {
          running = false;
          end();
        },
        onError: (error) => {
          running = false;
          failure = error;
          end();
        },
      });
    };
    if (game.isGameOver() || signal?.aborted) {
      ended = true;
    } else {
      begin();
      signal?.addEventListener('abort', stop, { once: true });
    }
    const finished = { done: true, value: undefined } as const;
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        for (;;) {
          const info = found.shift();
          if (info) return { done: false, value: info };
          if (failure) {
            const error = failure;
            failure = undefined;
            throw error;
          }
          if (ended) return finished;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
      async return() {
        found.length = 0;
        stop();
        return finished;
      },
    };
  }

  /**
   * The move that the engine plays, in the long form that programs exchange; `null` if the game is over.
   *
   * Rejects with the reason of `signal` if that is aborted.
   */
  async bestMove(game: Game, options?: BestMoveOptions): Promise<string | null> {
    const wanted = check.options(options);
    const level = check.optionalInteger('level', wanted.level, 0, 9);
    const limits = this.#limits(game, wanted);
    const limited = limits.time !== undefined || limits.nodes !== undefined || limits.depth !== undefined;
    if (level === 9 ? limits.time === undefined : level === undefined && !limited) {
      limits.time = level === 9 ? FULL_STRENGTH_TIME : DEFAULT_TIME;
    }
    const { signal } = wanted;
    signal?.throwIfAborted();
    if (game.isGameOver()) return null;
    const request = { ...limits, lines: 1, level, seed: Math.floor(Math.random() * MAX_NODES) };
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise<string | null>((resolve, reject) => {
        this.#begin(request, { onInfo: () => {}, onDone: resolve, onError: reject });
        onAbort = () => {
          this.#stop();
          reject(signal?.reason as Error);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    } finally {
      if (onAbort) signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Why the last search used the hand-made evaluation although it should not; `undefined` if it had its network. */
  get warning(): string | undefined {
    return this.#warning;
  }

  /** Whether a search is running. */
  get isSearching(): boolean {
    return this.#search !== undefined;
  }

  /** Stops the running search, if there is one. An analysis then ends; `bestMove` resolves to the best move so far. */
  stop(): void {
    const search = this.#search;
    if (!search) return;
    if (this.#stopped) {
      Atomics.store(this.#stopped, 0, search.id);
      return;
    }
    this.#stop();
    search.onDone(null);
  }

  /** Forgets the positions of earlier searches. */
  clear(): void {
    if (this.#disposed) throw new DisposedError('this engine was disposed');
    if (this.#search) throw new EngineError('the engine is searching: stop it first');
    this.#port?.postMessage({ type: 'clear' } satisfies Request);
  }

  /** Stops the search and the worker. The engine must not be used any more. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const search = this.#search;
    this.#end();
    this.#port?.terminate();
    this.#port = undefined;
    search?.onError(new DisposedError('this engine was disposed'));
  }

  #limits(game: Game, wanted: SearchLimits): Omit<SearchRequest, 'type' | 'id' | 'lines'> {
    if (this.#disposed) throw new DisposedError('this engine was disposed');
    if (!(game instanceof Game)) throw new ArgumentError('game must be a game');
    const { signal } = wanted;
    if (signal !== undefined && !(signal instanceof AbortSignal)) {
      throw new ArgumentError('signal must be an AbortSignal');
    }
    return {
      game: game.state(),
      time: check.optionalInteger('time', wanted.time, 0, MAX_TIME),
      nodes: check.optionalInteger('nodes', wanted.nodes, 1, MAX_NODES),
      depth: check.optionalInteger('depth', wanted.depth, 1, MAX_DEPTH),
    };
  }

  #begin(request: Omit<SearchRequest, 'type' | 'id'>, search: Omit<Search, 'id'>): void {
    if (this.#search) throw new EngineError('the engine is searching: stop it first, or use another engine');
    const id = ++this.#searches;
    this.#search = { id, ...search };
    this.#port ??= this.#start();
    this.#port.keepAlive(true);
    void this.#send({ type: 'search', id, ...request });
  }

  /** Sends a search to the worker; before the first one in a game, its network. */
  async #send(request: SearchRequest): Promise<void> {
    const { kind } = request.game;
    let bytes: Uint8Array | undefined;
    if (this.#usesNetwork && !this.#networks.has(kind)) {
      this.#warning = undefined;
      bytes = await this.#core.loadNetwork(kind).catch((error: unknown) => {
        this.#warning = `no evaluation network for ${kind}: ${String(error)}`;
        return undefined;
      });
      // The search may have been stopped meanwhile.
      if (this.#search?.id !== request.id) return;
    }
    if (bytes) {
      this.#networks.add(kind);
      this.#port?.postMessage({ type: 'network', kind, bytes } satisfies Request);
    }
    this.#port?.postMessage(request satisfies Request);
  }

  /** Stops the search, and forgets it. */
  #stop(): void {
    const search = this.#search;
    if (!search) return;
    this.#end();
    if (this.#stopped) {
      Atomics.store(this.#stopped, 0, search.id);
      return;
    }
    // The worker cannot receive messages while it searches. The next one is ready by the time that it is needed.
    this.#port?.terminate();
    this.#port = this.#start();
  }

  #end(): void {
    this.#search = undefined;
    this.#port?.keepAlive(false);
  }

  #start(): Port {
    const port = this.#core.startWorker();
    this.#networks = new Set();
    port.onMessage((message) => {
      const answer = message as Answer;
      if (answer.type === 'warning') {
        this.#warning = answer.message;
        return;
      }
      const search = this.#search;
      // Answers of a search that was stopped may arrive late.
      if (!search || answer.id !== search.id) return;
      if (answer.type === 'info') {
        search.onInfo({ time: answer.time, ...(JSON.parse(answer.info) as Omit<SearchInfo, 'time'>) });
        return;
      }
      this.#end();
      if (answer.type === 'done') search.onDone(answer.move);
      else search.onError(convert(answer.error));
    });
    port.onError((error) => {
      const search = this.#search;
      this.#end();
      this.#port = undefined;
      search?.onError(new EngineError(`the engine's worker failed: ${error.message}`, { cause: error }));
    });
    port.postMessage({
      type: 'init',
      module: this.#core.module,
      hash: this.#hash,
      stopped: this.#stopped,
    } satisfies Request);
    return port;
  }
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export interface SearchEngine extends Disposable {}

if (typeof Symbol.dispose === 'symbol') {
  Object.defineProperty(SearchEngine.prototype, Symbol.dispose, {
    value(this: SearchEngine) {
      this.dispose();
    },
    configurable: true,
    writable: true,
  });
}
