// Requests to the server. Whatever it refuses is thrown as a `Refusal`, in the player's language.

import { sentence, t } from '../i18n';
import { Unreachable } from './persist';
import type {
  ApiError,
  Game,
  GameRecord,
  GameSummary,
  Inside,
  Kind,
  Loaded,
  NewGame,
  Palette,
  Player,
  Said,
  SetupAnswer,
  Tags,
  View,
} from './types';

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: ApiError,
  ) {
    super(sentence(body.message));
  }
}

/** What went wrong, in words for people. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

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
    throw new Unreachable(t('app.unreachable'), { cause });
  }
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => {
    throw new Unreachable(t('app.speechless', { status: response.status }));
  });
  if (!response.ok) throw new Refusal(response.status, answer as ApiError);
  return answer as T;
}

const get = <T>(path: string) => request<T>('GET', path);
const post = <T>(path: string, body: unknown) => request<T>('POST', path, body);
const game = (id: string) => `games/${encodeURIComponent(id)}`;

export const api = {
  kinds: () => get<Kind[]>('kinds'),
  palette: (kind: string, rules: string) =>
    get<Palette>(`kinds/${encodeURIComponent(kind)}/palette?rules=${encodeURIComponent(rules)}`),
  position: (said: Said) => post<View>('position', said),
  inspect: (said: Said) => post<Inside>('inspect', said),
  setup: (setup: {
    kind: string;
    rules: string;
    cells: Record<string, string>;
    turn: Player;
    fields: Record<string, string>;
  }) => post<SetupAnswer>('setup', setup),
  readRecord: (kind: string, rules: string, record: string) =>
    post<Loaded>('records/read', { kind, rules, record }),
  writeRecord: (said: Omit<Said, 'actions'> & { tags?: Tags }) => post<GameRecord>('records/write', said),
  games: (before?: number) => get<GameSummary[]>(`games?limit=50${before ? `&before=${before}` : ''}`),
  newGame: (wanted: NewGame) => post<Game>('games', wanted),
  game: (id: string) => get<Game>(game(id)),
  deleteGame: (id: string) => request<void>('DELETE', game(id)),
  move: (id: string, text: string, version: number) => post<Game>(`${game(id)}/moves`, { text, version }),
  undo: (id: string, version: number) => post<Game>(`${game(id)}/undo`, { version }),
  resign: (id: string, player: Player) => post<Game>(`${game(id)}/resign`, { player }),
  draw: (id: string, player: Player, act: 'offer' | 'retract' | 'accept' | 'decline') =>
    post<Game>(`${game(id)}/draw`, { player, act }),
  record: (id: string) => get<GameRecord>(`${game(id)}/record`),
};
