// The boards of thumbnails, requested one after the other and only once.

import { api } from './api';
import type { Board, PositionRequest } from './types';

/** The most boards that are remembered. */
const MAX_BOARDS = 200;

const boards = new Map<string, Promise<Board>>();
let queue: Promise<unknown> = Promise.resolve();

/** The board of a position. Requests wait for each other, so that a long list does not exceed the server's quotas. */
export function thumbnailBoard({ kind, rules, position }: PositionRequest): Promise<Board> {
  const request = { kind, ...(rules ? { rules } : {}), ...(position ? { position } : {}) };
  const key = JSON.stringify(request);
  const known = boards.get(key);
  if (known) return known;
  if (boards.size >= MAX_BOARDS) boards.clear();
  const board = queue.then(async () => (await api.position({ ...request, legal_moves: false })).board);
  queue = board.catch(() => boards.delete(key));
  boards.set(key, board);
  return board;
}
