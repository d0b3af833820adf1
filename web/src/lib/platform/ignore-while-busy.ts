/** Wraps an async function so that calls made while one is running are ignored, such as the second half of a double click. */
export function ignoreWhileBusy<A extends unknown[]>(
  run: (...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  let busy = false;
  return async (...args) => {
    if (busy) return;
    busy = true;
    try {
      await run(...args);
    } finally {
      busy = false;
    }
  };
}
