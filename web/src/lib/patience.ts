// Asking a server that may be away.

import { Unreachable } from './api';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

/**
 * Asks until there is an answer, ever more slowly. A refusal is an answer, too. Whenever the server cannot be reached,
 * `wanted` hears why and says whether anybody still wants to know.
 */
export async function patiently<T>(
  ask: () => Promise<T>,
  wanted: (away: Unreachable) => boolean,
): Promise<T> {
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unreachable && wanted(error))) throw error;
      await new Promise((resume) => setTimeout(resume, wait));
    }
  }
}
