// The worker behind the page: it holds the core and the games, and starts engine workers.

import wasm from '#wasm/sandtable_wasm_bg.wasm?url';
import { initSync, respond, Session } from '#wasm/sandtable_wasm.js';
import type { ErrorBody, StartSearch } from '../../types';
import { EnginePool, type EngineRequest } from './engines';
import { errorBody, type Call, type Failure, type FromWorker, type ToWorker } from './protocol';
import { Registry } from './registry';
import { MissingGameError, StorageError, Store } from './store';
import { BrowserTabs } from './tabs';

class LoadError extends Error {}

const send = (message: FromWorker) => postMessage(message);

/** Downloads and starts the core. */
async function load(): Promise<{ registry: Registry; engines: EnginePool }> {
  let module: WebAssembly.Module;
  try {
    const response = await fetch(wasm);
    if (!response.ok) throw new Error(`status ${response.status}`);
    // Some static hosts do not know the media type.
    const isWasm = response.headers.get('content-type')?.startsWith('application/wasm');
    module = await (isWasm
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer()));
  } catch (cause) {
    throw new LoadError('the core cannot be loaded', { cause });
  }
  initSync({ module });
  const engines = new EnginePool(() => {
    const worker = new Worker(new URL('./engine-worker.ts', import.meta.url), { type: 'module' });
    worker.postMessage({ type: 'core', module } satisfies EngineRequest);
    return worker;
  });
  const store = new Store(globalThis.indexedDB);
  const registry = new Registry({ respond, Session }, store, engines, new BrowserTabs());
  return { registry, engines };
}

let loading: ReturnType<typeof load> | null = null;
function core(): ReturnType<typeof load> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

const followers = new Map<number, () => void>();
let stopAnalysis: () => void = () => {};

function isReviewOfGame(request: string): boolean {
  return (JSON.parse(request) as StartSearch).type === 'review_game';
}

async function handle(call: Call): Promise<string | undefined> {
  const { registry, engines } = await core();
  switch (call.method) {
    case 'respond':
      return respond(call.route, call.body);
    case 'list':
      return registry.list(call.before);
    case 'create':
      return registry.create(call.newGame);
    case 'game':
      return registry.game(call.id);
    case 'record':
      return registry.record(call.id);
    case 'review':
      return registry.review(call.id);
    case 'delete':
      await registry.delete(call.id);
      return undefined;
    case 'change':
      return registry.change(call.id, call.change, call.expected);
    case 'follow': {
      const { follower } = call;
      followers.get(follower)?.();
      // The page may leave the game while it is being loaded.
      let left = false;
      followers.set(follower, () => (left = true));
      try {
        const leave = await registry.follow(call.id, {
          game: (game) => send({ type: 'game', follower, game }),
          deleted: () => send({ type: 'deleted', follower }),
        });
        if (left) leave();
        else followers.set(follower, leave);
      } catch (error) {
        followers.delete(follower);
        throw error;
      }
      return undefined;
    }
    case 'leave':
      followers.get(call.follower)?.();
      followers.delete(call.follower);
      return undefined;
    case 'analyze': {
      const { analysis, request } = call;
      const on = (message: string) => send({ type: 'analysis', analysis, message });
      stopAnalysis();
      if (!isReviewOfGame(request)) {
        stopAnalysis = engines.analyze(request, on);
        return undefined;
      }
      // The page may stop the review while the game is being loaded.
      let stopped = false;
      stopAnalysis = () => (stopped = true);
      const stop = await registry.startReview(request, on);
      if (stopped) stop();
      else stopAnalysis = stop;
      return undefined;
    }
    case 'stop':
      stopAnalysis();
      return undefined;
  }
}

/** The error that a server sends. */
function gameNotFound(id: string): ErrorBody {
  const message = `game \`${id}\` not found`;
  return { code: 'not_found', message, detail: { code: 'game.not_found', params: { id } } };
}

function failure(error: unknown): Failure {
  if (error instanceof LoadError) return { type: 'unreachable' };
  if (error instanceof StorageError) return { type: 'storage', fault: error.fault };
  if (error instanceof MissingGameError) return { type: 'api', body: gameNotFound(error.id) };
  return { type: 'api', body: errorBody(error) };
}

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  const { number } = data;
  handle(data).then(
    (result) => send({ type: 'result', number, result }),
    (error: unknown) => send({ type: 'failure', number, failure: failure(error) }),
  );
};
