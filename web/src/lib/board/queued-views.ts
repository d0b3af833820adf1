// Views of positions for small pictures, requested one after the other and only once.

import { api } from '../api';
import { BoundedMap } from '../platform/bounded-map';
import type { PositionRequest, View } from '../types';

/** The most views that are remembered. */
const MAX_VIEWS = 200;

const views = new BoundedMap<string, Promise<View>>(MAX_VIEWS);
let queue: Promise<unknown> = Promise.resolve();

/** The view of a position. Requests wait for each other, so that a long list does not exceed the server's quotas. */
export function queuedView({ kind, rules, position, legal_moves }: PositionRequest): Promise<View> {
  const request = {
    kind,
    ...(rules ? { rules } : {}),
    ...(position ? { position } : {}),
    ...(legal_moves === false ? { legal_moves } : {}),
  };
  const key = JSON.stringify(request);
  const known = views.get(key);
  if (known) return known;
  const view = queue.then(() => api.position(request));
  queue = view.catch(() => views.delete(key));
  views.set(key, view);
  return view;
}
