// The backend of a page that a server delivers: its HTTP API and its WebSockets.

import { t } from '../../i18n';
import { UnreachableError } from '../platform/retry';
import { openSocket, type ReconnectingSocket } from '../platform/socket';
import type { AnalysisMessage, ErrorBody, Game, GameMessage, Link } from '../types';
import type { Backend, GameHandlers, Online } from './backend';
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
  if (!response.ok) throw new ApiError(content as ErrorBody, retryAfter(response));
  return content as T;
}

/** How many seconds the server asks to wait. */
function retryAfter(response: Response): number | null {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return Number.isNaN(seconds) ? null : seconds;
}

const get = <T>(path: string) => request<T>('GET', path);
const post = <T>(path: string, body: unknown) => request<T>('POST', path, body);
const gamePath = (id: string) => `games/${encodeURIComponent(id)}`;

/** Requests the game, then connects a socket that sends every change. */
function follow(id: string, on: GameHandlers): () => void {
  let socket: ReconnectingSocket | null = null;
  let ended = false;
  /** The game that the page has; null if the page needs the whole game. */
  let seen: Game | null = null;
  const end = () => {
    ended = true;
    socket?.close();
  };
  const receive = (game: Game) => {
    if (ended) return;
    seen = game;
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
    seen = null;
    on.connection(false);
  };
  const connect = () => {
    if (ended) return;
    socket = openSocket<GameMessage>(
      () => `${gamePath(id)}/socket${seen === null ? '' : `?since=${seen.version}`}`,
      {
        message: (message) => {
          switch (message.type) {
            case 'game':
              return receive(message.game);
            case 'change':
              if (seen) receive(applyChange(seen, message));
              return;
            case 'chat':
              return on.chat(message.message);
            case 'presence':
              return on.presence(message);
            case 'deleted':
              end();
              on.deleted(message.reason);
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

/** The game after a change, which lists only the moves that differ. */
function applyChange(before: Game, { kept, game }: { kept: number; game: Game }): Game {
  const moves_played = [...before.view.moves_played.slice(0, kept), ...game.view.moves_played];
  return { ...game, view: { ...game.view, moves_played } };
}

/** The link with a complete address: a server that does not know its public address omits the origin. */
function absolute({ token, url }: Link): Link {
  return { token, url: new URL(url, location.origin).href };
}

const online: Online = {
  me: () => get('me'),
  lobby: () => get('lobby'),
  publicGames: () => get('games?limit=50&scope=public'),
  invite: async (id) => absolute(await post<Link>(`${gamePath(id)}/invitation`, {})),
  transfer: async (id, player) => absolute(await post<Link>(`${gamePath(id)}/transfer`, { player })),
  takeSeat: (id, seat) => post(`${gamePath(id)}/seat`, seat),
  takeBack: (id, player, action) => post(`${gamePath(id)}/take-back`, { player, action }),
  claim: (id, player, claim) => post(`${gamePath(id)}/claim`, { player, claim }),
  abort: (id) => post(`${gamePath(id)}/abort`, {}),
  rematch: (id) => post(`${gamePath(id)}/rematch`, {}),
  chat: (id) => get(`${gamePath(id)}/chat`),
  sendChat: (id, text) => post(`${gamePath(id)}/chat`, { text }),
};

export const backend: Backend = {
  kinds: () => get('kinds'),
  palette: (kind, rules) =>
    get(`kinds/${encodeURIComponent(kind)}/palette?rules=${encodeURIComponent(rules)}`),
  position: (position) => post('position', position),
  inspect: (position) => post('inspect', position),
  refusal: (request) => post('refusal', request),
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
  advice: (id, player, kind) => post(`${gamePath(id)}/advice`, { player, kind }),
  record: (id) => get(`${gamePath(id)}/record`),
  review: (id) => get(`${gamePath(id)}/review`),
  rawGame: (id) => get(`${gamePath(id)}/raw`),
  follow,
  online,
  openAnalysis: (on) => {
    const socket = openSocket<AnalysisMessage>(() => 'analysis', on);
    return {
      send: (request) => socket.send(request),
      close: () => socket.close(),
    };
  },
};
