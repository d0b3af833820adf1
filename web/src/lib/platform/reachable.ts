// Errors that are over once the backend answers again.

import { api } from '../api';
import { loaded } from './kinds.svelte';
import { retry, UnreachableError } from './retry';
import { SHORTEST_ERROR } from './time-limits';

/**
 * If an error says that the backend could not be reached, calls `clear` as soon as it can. Returns a function that cancels
 * it.
 */
export function whenReachable(error: unknown, clear: () => void): () => void {
  if (!(error instanceof UnreachableError)) return () => undefined;
  let cancel = () => {};
  const probe = () => {
    // A response with an error is a response, too.
    const kind = loaded.kinds[0]?.name ?? '';
    cancel = retry(() => api.position({ kind, moves: [], legal_moves: false }), {
      success: clear,
      failure: (cause) => {
        if (!(cause instanceof UnreachableError)) clear();
      },
    });
  };
  const timer = setTimeout(probe, SHORTEST_ERROR);
  return () => {
    clearTimeout(timer);
    cancel();
  };
}
