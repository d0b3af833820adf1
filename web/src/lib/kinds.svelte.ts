// What the server offers, requested once when the page opens: the games, and whether seats belong to guests.

import { api } from './api';
import { retry } from './retry';
import type { Access, Kind } from './types';

interface Loaded {
  kinds: Kind[];
  access: Access;
  failed: boolean;
}

export const loaded: Loaded = $state({ kinds: [], access: 'open', failed: false });

export function loadKinds(): void {
  const request = () => Promise.all([api.kinds(), api.online?.me()]);
  retry(request, {
    success: ([kinds, me]) => Object.assign(loaded, { kinds, access: me?.access ?? 'open', failed: false }),
    failure: () => (loaded.failed = true),
  });
}
