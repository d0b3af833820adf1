// The service worker of the static page. It stores every file of a version in a cache of its own, and answers from it, so
// that the page works without a network and never mixes two versions.

// Makes this file a module, so that `self` can be declared.
export {};

declare const self: ServiceWorkerGlobalScope;
/** Set by the build (plugin.ts): a hash of all files, and their paths. */
declare const VERSION: string;
declare const FILES: string[];

/** Caches belong to the origin, which may have several copies of the page at different paths. */
const PREFIX = `sandtable ${self.registration.scope} `;
const CACHE = PREFIX + VERSION;
const PAGE = './';

self.addEventListener('install', (event) => event.waitUntil(fillCache()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('message', (event) => {
  // The player accepted the new version.
  if (event.data === 'activate') void self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && request.url.startsWith(self.registration.scope))
    event.respondWith(respond(request));
});

async function fillCache(): Promise<void> {
  const cache = await caches.open(CACHE);
  // The names of assets contain a hash of their contents; other files may be outdated in the browser's cache.
  const request = (path: string) =>
    new Request(path, { cache: path.startsWith('assets/') ? 'default' : 'reload' });
  await cache.addAll([PAGE, ...FILES].map(request));
}

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  // Tabs that have not been reloaded need the files of the previous version.
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function respond(request: Request): Promise<Response> {
  const { origin, pathname } = new URL(request.url);
  const isPage = [PAGE, 'index.html'].some(
    (path) => new URL(path, self.registration.scope).href === origin + pathname,
  );
  const cache = await caches.open(CACHE);
  const wanted = isPage ? PAGE : request;
  return (await cache.match(wanted)) ?? (await caches.match(wanted)) ?? fetch(request);
}
