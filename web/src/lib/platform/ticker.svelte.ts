// The current time, for countdowns.

import { CLOCK_INTERVAL } from './time-limits';

/** The browser's time. It advances while `isActive` returns true. Called while a component is created. */
export function ticker(isActive: () => boolean, interval = CLOCK_INTERVAL): { readonly now: number } {
  let now = $state(Date.now());
  $effect(() => {
    if (!isActive()) return;
    now = Date.now();
    const timer = setInterval(() => (now = Date.now()), interval);
    return () => clearInterval(timer);
  });
  return {
    get now() {
      return now;
    },
  };
}
