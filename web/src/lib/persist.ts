// A request that is made again and again while the server cannot be reached, ever more slowly.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

/** The server could not be reached at all. */
export class Unreachable extends Error {}

export interface Hearer<T> {
  found: (answer: T) => void;
  /** Hears a refusal, which is the last word, and every time that the server is out of reach. */
  failed: (error: unknown) => void;
}

/** Asks until there is an answer or a refusal. The function that comes back ends it: nothing is heard any more. */
export function persist<T>(ask: () => Promise<T>, on: Hearer<T>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wanted = true;
  let wait = FIRST_WAIT;
  const attempt = () => {
    ask().then(
      (answer) => {
        if (wanted) on.found(answer);
      },
      (error: unknown) => {
        if (!wanted) return;
        on.failed(error);
        if (!(error instanceof Unreachable)) return;
        timer = setTimeout(attempt, wait);
        wait = Math.min(2 * wait, LONGEST_WAIT);
      },
    );
  };
  attempt();
  return () => {
    wanted = false;
    clearTimeout(timer);
  };
}
