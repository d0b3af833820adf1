// Repeating a request while the page is visible.

/** Calls `run` now, and again `interval` milliseconds after each call ends, while the page is visible. Returns a function that stops it. */
export function pollWhileVisible(run: () => Promise<void>, interval: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  let running = false;
  const next = async () => {
    if (stopped || running || document.hidden) return;
    clearTimeout(timer);
    running = true;
    await run();
    running = false;
    if (!stopped) timer = setTimeout(() => void next(), interval);
  };
  const onvisible = () => void next();
  document.addEventListener('visibilitychange', onvisible);
  void next();
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onvisible);
  };
}
