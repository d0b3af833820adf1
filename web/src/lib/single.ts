// Requests of which one at a time makes sense.

/** Does what it is called for, and drops what it is called for meanwhile: a second click, Enter pressed twice. */
export function single<A extends unknown[]>(
  act: (...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  let busy = false;
  return async (...args) => {
    if (busy) return;
    busy = true;
    try {
      await act(...args);
    } finally {
      busy = false;
    }
  };
}
