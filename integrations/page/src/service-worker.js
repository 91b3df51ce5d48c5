// Keeps the page for visits without a network: everything of one build, under the name of the build, so that no two
// builds are mixed. It is registered when the engine is up: Chromium cannot fetch one large file twice at once.

const KEPT = `houserule-${BUILD}`; // the build writes BUILD, and FILES, above this

self.addEventListener('install', event => event.waitUntil(keep()));
self.addEventListener('activate', event => event.waitUntil(forgetOlder()));
self.addEventListener('fetch', event => {
  const {method, url} = event.request;
  if (method === 'GET' && new URL(url).origin === location.origin) event.respondWith(answer(event.request));
});

async function keep() {
  const cache = await caches.open(KEPT);
  await cache.addAll(FILES);
}

async function forgetOlder() {
  const names = await caches.keys();
  await Promise.all(
    names.filter(name => name.startsWith('houserule-') && name !== KEPT).map(name => caches.delete(name)),
  );
  await self.clients.claim();
}

async function answer(request) {
  const cache = await caches.open(KEPT);
  return (await cache.match(request, {ignoreSearch: true})) ?? fetch(request);
}
