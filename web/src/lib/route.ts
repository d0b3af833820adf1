// The address of a page is its state: what stands after `#` says which page, and which position.

import type { Said } from './types';

export type Route =
  | { page: 'home'; said: Said | null }
  | { page: 'game'; id: string }
  | { page: 'games' }
  /** A game, and how many of its moves are on the board: all of them, if it is not said. */
  | { page: 'analysis'; said: Said; ply?: number }
  | { page: 'editor'; said: Said };

export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page, id] = path.split('/');
  const said = parseSaid(new URLSearchParams(query));
  switch (page) {
    case 'game':
      return id ? { page, id: decoded(id) } : { page: 'games' };
    case 'games':
      return { page };
    case 'analysis': {
      const ply = parsePly(new URLSearchParams(query).get('ply'));
      return { page, said: said ?? { kind: 'chess' }, ...(ply === null ? {} : { ply }) };
    }
    case 'editor':
      return { page, said: said ?? { kind: 'chess' } };
    default:
      return { page: 'home', said };
  }
}

/** What an address says, or the address as it stands where it was cut off: there is no such game, and the page says so. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function format(route: Route): string {
  switch (route.page) {
    case 'home':
      return route.said ? `#/?${formatSaid(route.said)}` : '#/';
    case 'game':
      return `#/game/${encodeURIComponent(route.id)}`;
    case 'games':
      return '#/games';
    case 'analysis': {
      const shown = route.ply === undefined ? '' : `&ply=${route.ply}`;
      return `#/analysis?${formatSaid(route.said)}${shown}`;
    }
    case 'editor':
      return `#/editor?${formatSaid(route.said)}`;
  }
}

function parseSaid(query: URLSearchParams): Said | null {
  const kind = query.get('kind');
  if (!kind) return null;
  const said: Said = { kind };
  const rules = query.get('rules');
  const position = query.get('position');
  const moves = query.get('moves');
  if (rules) said.rules = rules;
  if (position) said.position = position;
  if (moves?.trim()) said.moves = moves.trim().split(/\s+/);
  return said;
}

function parsePly(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Kind, rules, position and moves as the query of an address. */
function formatSaid(said: Said): string {
  const query = new URLSearchParams({ kind: said.kind });
  if (said.rules) query.set('rules', said.rules);
  if (said.position) query.set('position', said.position);
  if (said.moves?.length) query.set('moves', said.moves.join(' '));
  return query.toString();
}
