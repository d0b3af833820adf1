// The games there are. They are asked for until the server answers, once.

import { api } from './api';
import { patiently } from './patience';
import type { Kind } from './types';

export const known: { kinds: Kind[]; failed: boolean } = $state({ kinds: [], failed: false });

export async function learnKinds(): Promise<void> {
  known.kinds = await patiently(api.kinds, () => (known.failed = true));
}
