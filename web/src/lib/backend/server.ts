// The backend of a page that a server delivers: its HTTP API and its WebSockets.

import { t } from '../../i18n';
import { UnreachableError } from '../retry';
import { openSocket, type ReconnectingSocket } from '../socket';
import type { AnalysisMessage, ErrorBody, Game, GameMessage } from '../types';
import type { Backend, GameHandlers } from './backend';
import { ApiError, isNotFound } from './errors';

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new UnreachableError(t('app.unreachable'), { cause });
  }
  if (response.status === 204) return undefined as T;
  const content: unknown = await response.json().catch(() => {
    throw new UnreachableError(t('app.badResponse', { status: response.status }));
  });
  if (!response.ok) throw new ApiError(content as ErrorBody);
  return content as T;
}

const get = <T>(path: string) => request<T>('GET', path);
const post = <T>(path: string, body: unknown) => request<T>('POST', path, body);
const gamePath = (id: string) => `games/${encodeURIComponent(id)}`;

/** Requests the game, then connects a socket that sends every change. */
function follow(id: string, on: GameHandlers): () => void {
  let socket: ReconnectingSocket | null = null;
  let ended = false;
  /** The version that the page has; undefined if the page needs the whole game. */
  let seen: number | undefined;
  const end = () => {
    ended = true;
    socket?.close();
  };
  const receive = (game: Game) => {
    if (ended) return;
    seen = game.version;
    on.game(game);
  };
  const fail = (error: unknown) => {
    if (ended || !isNotFound(error)) return;
    end();
    on.deleted();
  };
  const disconnected = () => {
    // The clock may be wrong afterwards, because the server's downtime is not charged: request the whole game instead of
    // changes since a version.
    seen = undefined;
    on.connection(false);
  };
  const connect = () => {
    if (ended) return;
    socket = openSocket<GameMessage>(
      () => `${gamePath(id)}/socket${seen === undefined ? '' : `?since=${seen}`}`,
      {
        message: (message) => {
          if (message.type === 'game') receive(message.game);
          else if (message.type === 'deleted') {
            end();
            on.deleted();
          }
        },
        connected: () => on.connection(true),
        disconnected: () => {
          disconnected();
          // A socket does not report why it cannot connect; the game may have been deleted.
          get<Game>(gamePath(id)).then((game) => {
            if (!ended) on.game(game);
          }, fail);
        },
      },
    );
  };
  get<Game>(gamePath(id))
    .then(receive)
    .then(connect)
    .catch((error: unknown) => {
      fail(error);
      if (ended) return;
      disconnected();
      connect();
    });
  return end;
}

export const backend: Backend = {
  kinds: () => get('kinds'),
  palette: (kind, rules) =>
    get(`kinds/${encodeURIComponent(kind)}/palette?rules=${encodeURIComponent(rules)}`),
  position: (position) => post('position', position),
  inspect: (position) => post('inspect', position),
  setup: (setup) => post('setup', setup),
  readRecord: (kind, rules, record) => post('records/read', { kind, rules, record }),
  writeRecord: (position) => post('records/write', position),
  games: (before) => get(`games?limit=50${before ? `&before=${before}` : ''}`),
  newGame: (options) => post('games', options),
  game: (id) => get(gamePath(id)),
  deleteGame: (id) => request('DELETE', gamePath(id)),
  move: (id, text, version) => post(`${gamePath(id)}/moves`, { text, version }),
  undo: (id, version) => post(`${gamePath(id)}/undo`, { version }),
  resign: (id, player) => post(`${gamePath(id)}/resign`, { player }),
  draw: (id, player, action) => post(`${gamePath(id)}/draw`, { player, action }),
  record: (id) => get(`${gamePath(id)}/record`),
  follow,
  openAnalysis: (on) => {
    const socket = openSocket<AnalysisMessage>(() => 'analysis', on);
    return {
      send: (request) => socket.send({ type: 'analyse', ...request }),
      close: () => socket.close(),
    };
  },
};
