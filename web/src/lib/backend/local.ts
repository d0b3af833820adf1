// The backend of a page without a server: a worker with the WebAssembly core, and games in IndexedDB.

import { kinds, positions } from '#first-view';
import { t } from '../../i18n';
import { retry, UnreachableError } from '../platform/retry';
import type { AnalysisMessage, Game, Kind, PositionRequest, View } from '../types';
import type { Backend, GameHandlers } from './backend';
import { ApiError, isNotFound } from './errors';
import { Analyses } from './local/analyses';
import type { Call, Failure, FromWorker, ToWorker } from './local/protocol';
import type { Change } from './local/registry';

/** How long to wait before a worker that failed is started again, in milliseconds. */
const RETRY_DELAY = 1_000;

interface Pending {
  resolve: (result: string | undefined) => void;
  reject: (error: Error) => void;
}

interface Following {
  id: string;
  on: GameHandlers;
  /** Cancels the attempts to connect. */
  cancel: () => void;
}

let worker: Worker | null = null;
let number = 0;
const pending = new Map<number, Pending>();
const followers = new Map<number, Following>();
const analyses = new Analyses(
  (analysis, request) => call({ method: 'analyze', analysis, request }),
  () => void call({ method: 'stop' }).catch(() => undefined),
);
let reconnection: ReturnType<typeof setTimeout> | undefined;

function failureError(failure: Failure): Error {
  switch (failure.type) {
    case 'api':
      return new ApiError(failure.body);
    case 'storage':
      return new Error(t(`storage.${failure.fault}`));
    case 'unreachable':
      return new UnreachableError(t('app.unreachable'));
  }
}

function receive(message: FromWorker): void {
  switch (message.type) {
    case 'result':
      pending.get(message.number)?.resolve(message.result);
      pending.delete(message.number);
      break;
    case 'failure':
      pending.get(message.number)?.reject(failureError(message.failure));
      pending.delete(message.number);
      break;
    case 'game':
      followers.get(message.follower)?.on.game(JSON.parse(message.game) as Game);
      break;
    case 'deleted':
      followers.get(message.follower)?.on.deleted();
      break;
    case 'analysis':
      analyses.receive(message.analysis, JSON.parse(message.message) as AnalysisMessage);
  }
}

function start(): Worker {
  const started = new Worker(new URL('./local/games-worker.ts', import.meta.url), { type: 'module' });
  started.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
  // The script of the worker could not be loaded, or it failed.
  started.onerror = (event) => {
    event.preventDefault();
    stop();
    clearTimeout(reconnection);
    reconnection = setTimeout(reconnect, RETRY_DELAY);
  };
  return started;
}

/** Ends the worker. The next call starts another one. */
function stop(): void {
  worker?.terminate();
  worker = null;
  for (const { cancel, on } of followers.values()) {
    cancel();
    on.connection(false);
  }
  const calls = [...pending.values()];
  pending.clear();
  for (const { reject } of calls) reject(failureError({ type: 'unreachable' }));
}

/** Continues with another worker. */
function reconnect(): void {
  for (const [follower, following] of followers) {
    following.cancel();
    following.cancel = connect(follower, following);
  }
  analyses.reconnect();
}

// A browser may keep a page that is left, in case the player goes back. Its worker must not keep the locks of games.
addEventListener('pagehide', stop);
addEventListener('pageshow', (event) => {
  if (event.persisted) reconnect();
});

function call(request: Call): Promise<string | undefined> {
  const current = (worker ??= start());
  return new Promise((resolve, reject) => {
    pending.set(++number, { resolve, reject });
    current.postMessage({ ...request, number } satisfies ToWorker);
  });
}

async function request<T>(request: Call): Promise<T> {
  return JSON.parse((await call(request)) ?? 'null') as T;
}

const respond = <T>(route: string, body: unknown) =>
  request<T>({ method: 'respond', route, body: JSON.stringify(body) });
const change = (id: string, change: Change, expected?: number) =>
  request<Game>({ method: 'change', id, change, expected });

/** A start position without legal moves, which the home page shows before the core is loaded. */
function knownPosition(position: PositionRequest): View | null {
  const { kind, legal_moves, ...others } = position;
  const json = legal_moves === false && Object.keys(others).length === 0 ? positions[kind] : undefined;
  return json === undefined ? null : (JSON.parse(json) as View);
}

/** Follows a game; also called again after the worker was restarted. */
function connect(follower: number, { id, on }: Following): () => void {
  return retry(() => call({ method: 'follow', id, follower }), {
    success: () => on.connection(true),
    failure: (error) => {
      if (error instanceof UnreachableError) on.connection(false);
      else if (isNotFound(error)) on.deleted();
      else on.failed(error);
    },
  });
}

let lastFollower = 0;
function follow(id: string, on: GameHandlers): () => void {
  const follower = ++lastFollower;
  const following: Following = { id, on, cancel: () => undefined };
  followers.set(follower, following);
  following.cancel = connect(follower, following);
  return () => {
    following.cancel();
    followers.delete(follower);
    call({ method: 'leave', follower }).catch(() => undefined);
  };
}

export const backend: Backend = {
  kinds: () => Promise.resolve(JSON.parse(kinds) as Kind[]),
  palette: (kind, rules) => respond('palette', { kind, rules }),
  position: async (position) => knownPosition(position) ?? respond('position', position),
  inspect: (position) => respond('inspect', position),
  refusal: (request) => respond('refusal', request),
  setup: (setup) => respond('setup', setup),
  readRecord: (kind, rules, record) => respond('records/read', { kind, rules, record }),
  writeRecord: (position) => respond('records/write', position),
  games: (before) => request({ method: 'list', before }),
  newGame: (options) => request({ method: 'create', newGame: JSON.stringify(options) }),
  game: (id) => request({ method: 'game', id }),
  deleteGame: async (id) => {
    await call({ method: 'delete', id });
  },
  move: (id, text, version) => change(id, { type: 'move', text }, version),
  undo: (id, version) => change(id, { type: 'undo' }, version),
  resign: (id, player) => change(id, { type: 'resign', player }),
  draw: (id, player, action) => change(id, { type: 'draw', player, action }),
  advice: (id, player, kind) => change(id, { type: 'advice', player, kind }),
  record: (id) => request({ method: 'record', id }),
  review: (id) => request({ method: 'review', id }),
  // Damaged games are not listed.
  rawGame: (id) => request({ method: 'game', id }),
  follow,
  online: null,
  openAnalysis: (on) => analyses.open(on),
};

// The core is large: load it once the first view is on the screen.
const idle = (run: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(run) : setTimeout(run, 200);
idle(() => void call({ method: 'stop' }).catch(() => undefined));
