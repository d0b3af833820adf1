// Repeats a request while the server is unreachable, with exponential backoff.

const FIRST_DELAY = 500;
const MAX_DELAY = 8000;

/** The server sent no usable response. */
export class UnreachableError extends Error {}

export interface Handlers<T> {
  success: (response: T) => void;
  /** Called on every failure; only an `UnreachableError` is followed by another attempt. */
  failure: (error: unknown) => void;
}

/** Sends a request until the server responds. Returns a function that cancels it: no handler is called afterwards. */
export function retry<T>(send: () => Promise<T>, on: Handlers<T>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancelled = false;
  let delay = FIRST_DELAY;
  const attempt = () => {
    send().then(
      (response) => {
        if (!cancelled) on.success(response);
      },
      (error: unknown) => {
        if (cancelled) return;
        on.failure(error);
        if (!(error instanceof UnreachableError)) return;
        timer = setTimeout(attempt, delay);
        delay = Math.min(2 * delay, MAX_DELAY);
      },
    );
  };
  attempt();
  return () => {
    cancelled = true;
    clearTimeout(timer);
  };
}
