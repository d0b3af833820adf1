// Routes in the URL fragment: the page and the position it shows.

import type { Arrangement, PositionRequest } from '../types';

export type Route =
  /** `opponent` is selected in the form. */
  | { page: 'home'; request: PositionRequest | null; opponent?: 'lobby' }
  | { page: 'game'; id: string }
  | { page: 'games' }
  /** The puzzles of a game, or of the one that was chosen last; `id` is the puzzle to begin with. */
  | { page: 'puzzles'; kind?: string; id?: string }
  | { page: 'lobby' }
  /** The list of lessons, a game to go on with, or one of its lessons. */
  | { page: 'learn'; kind?: string; lesson?: string }
  /** A link that takes a seat: an invitation, or a transfer of one's own seat to another device. */
  | { page: 'join'; id: string; token: string; transfer?: true }
  /** Without a request, the start position of the first game. `ply` is the number of moves on the board; all if absent. */
  | { page: 'analysis'; request: PositionRequest | null; ply?: number }
  /** The review of a saved game, or of a line. `nodes` is the number of nodes for each position. */
  | { page: 'review'; id?: string; request?: PositionRequest; nodes?: number }
  /** `arrangement` replaces the position while it is not a valid one. */
  | { page: 'editor'; request: PositionRequest | null; arrangement?: Arrangement }
  /** A link that leads nowhere. */
  | { page: 'unknown' };

export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page, id, token] = path.split('/');
  const request = parsePosition(new URLSearchParams(query));
  switch (page) {
    case 'game':
      return id ? { page, id: decodeSegment(id) } : { page: 'games' };
    case 'games':
    case 'lobby':
      return { page };
    case 'learn':
      return {
        page,
        ...(id ? { kind: decodeSegment(id) } : {}),
        ...(id && token ? { lesson: decodeSegment(token) } : {}),
      };
    case 'puzzles':
      return {
        page,
        ...(id ? { kind: decodeSegment(id) } : {}),
        ...(id && token ? { id: decodeSegment(token) } : {}),
      };
    case 'join':
      return id && token
        ? {
            ...{ page, id: decodeSegment(id), token: decodeSegment(token) },
            ...(new URLSearchParams(query).has('transfer') ? { transfer: true } : {}),
          }
        : { page: 'unknown' };
    case 'analysis': {
      const ply = parseCount(new URLSearchParams(query).get('ply'));
      return { page, request, ...(ply === null ? {} : { ply }) };
    }
    case 'review': {
      const nodes = parseCount(new URLSearchParams(query).get('nodes'));
      const options = nodes === null ? {} : { nodes };
      if (id) return { page, id: decodeSegment(id), ...options };
      return request ? { page, request, ...options } : { page: 'unknown' };
    }
    case 'editor': {
      const arrangement = parseArrangement(new URLSearchParams(query).get('arrangement'));
      return { page, request, ...(arrangement ? { arrangement } : {}) };
    }
    case '': {
      const isChallenge = new URLSearchParams(query).get('opponent') === 'lobby';
      return { page: 'home', request, ...(isChallenge ? { opponent: 'lobby' } : {}) };
    }
    default:
      return { page: 'unknown' };
  }
}

/** Decodes a path segment. A malformed one is kept as it is: no game has that id, and the page reports it. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function format(route: Route): string {
  switch (route.page) {
    case 'home':
      if (route.opponent) return `#/?opponent=${route.opponent}`;
      return withQuery('#/', route.request);
    case 'game':
      return `#/game/${encodeURIComponent(route.id)}`;
    case 'games':
      return '#/games';
    case 'lobby':
      return '#/lobby';
    case 'learn':
      return [
        '#/learn',
        ...[route.kind, route.lesson].filter((part) => part !== undefined).map(encodeURIComponent),
      ].join('/');
    case 'puzzles':
      return ['#/puzzles', route.kind, route.kind && route.id]
        .filter((part) => part !== undefined)
        .map((part, i) => (i === 0 ? part : encodeURIComponent(part)))
        .join('/');
    case 'join':
      return `#/join/${encodeURIComponent(route.id)}/${encodeURIComponent(route.token)}${route.transfer ? '?transfer' : ''}`;
    case 'analysis':
      return withQuery('#/analysis', route.request, { ply: route.ply });
    case 'review': {
      const id = route.id === undefined ? '' : `/${encodeURIComponent(route.id)}`;
      return withQuery(`#/review${id}`, route.request, { nodes: route.nodes });
    }
    case 'editor': {
      const arrangement = route.arrangement && JSON.stringify(route.arrangement);
      return withQuery('#/editor', route.request, { arrangement });
    }
    case 'unknown':
      return '#/';
  }
}

function parsePosition(query: URLSearchParams): PositionRequest | null {
  const kind = query.get('kind');
  if (!kind) return null;
  const request: PositionRequest = { kind };
  const rules = query.get('rules');
  const position = query.get('position');
  const moves = query.get('moves');
  if (rules) request.rules = rules;
  if (position) request.position = position;
  if (moves?.trim()) request.moves = moves.trim().split(/\s+/);
  return request;
}

function parseCount(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Parses an arrangement. One that is not well-formed, for example in a link that was cut off, is null. */
function parseArrangement(text: string | null): Arrangement | null {
  try {
    const { cells, turn, fields } = Object(JSON.parse(text ?? 'null')) as Partial<Arrangement>;
    if (!isTextRecord(cells) || !isTextRecord(fields) || (turn !== 'first' && turn !== 'second')) return null;
    return { cells, turn, fields };
  } catch {
    return null;
  }
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((entry) => typeof entry === 'string')
  );
}

/** A path with a query: a position, and what else is given. */
function withQuery(
  path: string,
  request: PositionRequest | null | undefined,
  others: Record<string, string | number | undefined> = {},
): string {
  const { kind, rules, position, moves = [] } = request ?? {};
  const values = { kind, rules, position, moves: moves.join(' ') };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, value);
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
