// The games there are. They are asked for until the server answers, once.

import { api } from './api';
import type { Kind } from './types';

export const known: { kinds: Kind[]; failed: boolean } = $state({ kinds: [], failed: false });

export async function learnKinds(): Promise<void> {
  for (let wait = 500; known.kinds.length === 0; wait = Math.min(2 * wait, 8000)) {
    try {
      known.kinds = await api.kinds();
      known.failed = false;
    } catch {
      known.failed = true;
      await new Promise((resume) => setTimeout(resume, wait));
    }
  }
}
