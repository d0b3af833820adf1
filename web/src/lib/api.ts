// Requests to the server. An error response is thrown as an `ApiError` in the player's language.

import { serverText, t } from '../i18n';
import { UnreachableError } from './retry';
import type {
  DrawAction,
  ErrorBody,
  Game,
  GameRecord,
  GameSummary,
  Inspection,
  Kind,
  NewGame,
  Palette,
  ParsedRecord,
  Player,
  PositionRequest,
  SetupResponse,
  Tags,
  View,
} from './types';

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(serverText(body.detail, body.message));
  }
}

/** The message to show for an error. */
export function errorMessage(error: unknown): string {
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
    throw new UnreachableError(t('app.unreachable'), { cause });
  }
  if (response.status === 204) return undefined as T;
  const content: unknown = await response.json().catch(() => {
    throw new UnreachableError(t('app.badResponse', { status: response.status }));
  });
  if (!response.ok) throw new ApiError(response.status, content as ErrorBody);
  return content as T;
}

const get = <T>(path: string) => request<T>('GET', path);
const post = <T>(path: string, body: unknown) => request<T>('POST', path, body);
const gamePath = (id: string) => `games/${encodeURIComponent(id)}`;

export const api = {
  kinds: () => get<Kind[]>('kinds'),
  palette: (kind: string, rules: string) =>
    get<Palette>(`kinds/${encodeURIComponent(kind)}/palette?rules=${encodeURIComponent(rules)}`),
  position: (position: PositionRequest) => post<View>('position', position),
  inspect: (position: PositionRequest) => post<Inspection>('inspect', position),
  setup: (setup: {
    kind: string;
    rules: string;
    cells: Record<string, string>;
    turn: Player;
    fields: Record<string, string>;
  }) => post<SetupResponse>('setup', setup),
  readRecord: (kind: string, rules: string, record: string) =>
    post<ParsedRecord>('records/read', { kind, rules, record }),
  writeRecord: (position: Omit<PositionRequest, 'legal_moves'> & { tags?: Tags }) =>
    post<GameRecord>('records/write', position),
  games: (before?: number) => get<GameSummary[]>(`games?limit=50${before ? `&before=${before}` : ''}`),
  newGame: (options: NewGame) => post<Game>('games', options),
  game: (id: string) => get<Game>(gamePath(id)),
  deleteGame: (id: string) => request<void>('DELETE', gamePath(id)),
  move: (id: string, text: string, version: number) => post<Game>(`${gamePath(id)}/moves`, { text, version }),
  undo: (id: string, version: number) => post<Game>(`${gamePath(id)}/undo`, { version }),
  resign: (id: string, player: Player) => post<Game>(`${gamePath(id)}/resign`, { player }),
  draw: (id: string, player: Player, action: DrawAction) =>
    post<Game>(`${gamePath(id)}/draw`, { player, action }),
  record: (id: string) => get<GameRecord>(`${gamePath(id)}/record`),
};
