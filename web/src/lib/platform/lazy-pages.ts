// The parts of the page that the first view does not need.

import { PRELOAD_DELAY } from './time-limits';

/** The pages other than the first one. */
export const pages = {
  game: () => import('../../pages/Game.svelte'),
  learn: () => import('../../pages/Learn.svelte'),
  games: () => import('../../pages/Games.svelte'),
  analysis: () => import('../../pages/Analysis.svelte'),
  editor: () => import('../../pages/Editor.svelte'),
  puzzles: () => import('../../pages/Puzzles.svelte'),
  review: () => import('../../pages/Review.svelte'),
};

/** What only people on different machines need, loaded on demand. The static page does not contain it. */
export const parts =
  import.meta.env.MODE === 'site'
    ? null
    : {
        lobby: () => import('../../pages/Lobby.svelte'),
        join: () => import('../../pages/Join.svelte'),
        invitation: () => import('../../components/Invitation.svelte'),
        chat: () => import('../../components/Chat.svelte'),
        transfer: () => import('../../components/Transfer.svelte'),
      };

/** Loads all pages once the browser has nothing else to do, so that they open at once and without a connection. */
export function preloadPages(): void {
  const load = () => Object.values(pages).forEach((page) => void page().catch(() => undefined));
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: PRELOAD_DELAY.latest });
  else setTimeout(load, PRELOAD_DELAY.unknown);
}
