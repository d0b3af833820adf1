// Repeats a request while the server is unreachable, with exponential backoff.

import { RETRY_DELAY, SECOND } from './time-limits';

/** The server sent no usable response. */
export class UnreachableError extends Error {}

export interface Handlers<T> {
  success: (response: T) => void;
  /** Called on every failure; only an `UnreachableError` and an error with `retryAfter` are followed by another attempt. */
  failure: (error: unknown) => void;
}

/** Sends a request until the server responds. Returns a function that cancels it: no handler is called afterwards. */
export function retry<T>(send: () => Promise<T>, on: Handlers<T>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancelled = false;
  let delay = RETRY_DELAY.first;
  const attempt = () => {
    send().then(
      (response) => {
        if (!cancelled) on.success(response);
      },
      (error: unknown) => {
        if (cancelled) return;
        on.failure(error);
        const wait = retryAfter(error) ?? (error instanceof UnreachableError ? delay : null);
        if (wait === null) return;
        timer = setTimeout(attempt, wait);
        delay = Math.min(2 * delay, RETRY_DELAY.longest);
      },
    );
  };
  attempt();
  return () => {
    cancelled = true;
    clearTimeout(timer);
  };
}

/** How many milliseconds the server asks to wait before the next attempt; null if it does not say. */
function retryAfter(error: unknown): number | null {
  if (!(error instanceof Error) || !('retryAfter' in error)) return null;
  return typeof error.retryAfter === 'number' ? SECOND * error.retryAfter : null;
}
