/** The service worker that makes the playground work without a network once it was loaded. */

declare const self: ServiceWorkerGlobalScope;

/** The files of this build, and its id, which the build inserts. */
declare const PLAYGROUND_FILES: readonly string[];
declare const SELECTOR_LENS_BUILD: string;

const name = `selector-lens-${SELECTOR_LENS_BUILD}`;

self.addEventListener('install', (event) => {
  const store = async () => {
    const cache = await caches.open(name);
    await cache.addAll([...PLAYGROUND_FILES]);
    await self.skipWaiting();
  };
  event.waitUntil(store());
});

self.addEventListener('activate', (event) => {
  const update = async () => {
    for (const key of await caches.keys())
      if (key.startsWith('selector-lens-') && key !== name) await caches.delete(key);
    await self.clients.claim();
  };
  event.waitUntil(update());
});

self.addEventListener('fetch', (event) => {
  const answer = async () => (await caches.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  event.respondWith(answer());
});

// Its names must not be global.
export {};
