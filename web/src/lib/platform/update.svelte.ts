// New versions of the static page: its service worker downloads them, and the player decides when to change over.

import { UPDATE_INTERVAL } from './time-limits';

/** Whether a new version is ready. */
export const update = $state({ available: false });

let waiting: ServiceWorker | null = null;

/** Registers the service worker. Where there is none, such as on insecure origins, the page works only online. */
export async function watchForUpdates(): Promise<void> {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!container) return;
  let isControlled = container.controller !== null;
  let isReloading = false;
  container.addEventListener('controllerchange', () => {
    // The first worker takes control of a page of its own version.
    if (isControlled && waiting && !isReloading) {
      isReloading = true;
      location.reload();
    } else if (isControlled) {
      // Another tab has changed over.
      update.available = true;
    }
    isControlled = true;
  });
  const registration = await container
    .register('./service-worker.js', { updateViaCache: 'none' })
    .catch(() => null);
  if (!registration) return;
  const check = () => {
    if (registration.waiting && container.controller) update.available = true;
  };
  check();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', check);
  });
  let checked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - checked < UPDATE_INTERVAL) return;
    checked = Date.now();
    registration.update().catch(() => undefined);
  });
}

/** Changes over to the new version. */
export async function changeOver(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  waiting = registration?.waiting ?? null;
  if (waiting) waiting.postMessage('activate');
  else location.reload();
}
