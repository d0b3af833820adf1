// The games that the server offers, requested once when the page opens.

import { api } from './api';
import { retry } from './retry';
import type { Kind } from './types';

export const loaded: { kinds: Kind[]; failed: boolean } = $state({ kinds: [], failed: false });

export function loadKinds(): void {
  retry(api.kinds, {
    success: (kinds) => Object.assign(loaded, { kinds, failed: false }),
    failure: () => (loaded.failed = true),
  });
}
