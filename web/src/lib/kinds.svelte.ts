// The games there are. They are asked for until the server answers, once.

import { api } from './api';
import { persist } from './persist';
import type { Kind } from './types';

export const known: { kinds: Kind[]; failed: boolean } = $state({ kinds: [], failed: false });

export function learnKinds(): void {
  persist(api.kinds, {
    found: (kinds) => Object.assign(known, { kinds, failed: false }),
    failed: () => (known.failed = true),
  });
}
