// What the server offers, requested once when the page opens: the games, whether seats belong to guests, and networks.

import { api } from '../api';
import { retry } from './retry';
import type { Access, Kind, OfferedNetwork } from '../types';

interface Loaded {
  kinds: Kind[];
  access: Access;
  /** The networks that can analyze. */
  networks: OfferedNetwork[];
  failed: boolean;
}

export const loaded: Loaded = $state({ kinds: [], access: 'open', networks: [], failed: false });

export function loadKinds(): void {
  const request = () => Promise.all([api.kinds(), api.online?.me()]);
  retry(request, {
    success: ([kinds, me]) => {
      const { access = 'open', networks = [] } = me ?? {};
      Object.assign(loaded, { kinds, access, networks, failed: false });
    },
    failure: () => (loaded.failed = true),
  });
}
