// The service worker: pages open without a server, too, and say so. It stores the loaded files
// and asks the server first for the page, so that the next start gets a new version. API requests
// are not stored. The files for playing without a connection are stored by src/device/files.ts.
/* global self, caches, clients, location */
const FILES = new Set(__FILES__); // the files of this version (ui/worker.ts)
const SHELL = __SHELL__; // the files of the first visit
const KEPT = 'dicecup';
const PAGE = '/';
const PATIENCE = 5_000;
const NOT_OURS = /^\/(api|assets|docs|health|metrics|python|static|verify|ws)(\/|$)|\.\w+$/;

self.addEventListener('install', (event) => event.waitUntil(keep([PAGE, ...SHELL])));

// Runs when no page of the version before is open any more.
self.addEventListener('activate', (event) => event.waitUntil(clear().then(() => clients.claim())));

// Stores the files that a page had loaded before the worker was installed; `everything` for a page
// that is to play without a connection.
self.addEventListener('message', (event) => {
  const wanted = event.data === 'everything' ? [...FILES] : event.data.filter((path) => FILES.has(path));
  event.waitUntil(keep(wanted));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(file(request));
  else if (pathname.startsWith('/python/pyodide-')) event.respondWith(interpreter(request));
  else if (request.mode === 'navigate' && !NOT_OURS.test(pathname)) event.respondWith(page(request));
});

/** Return the page for any address: the one of the server, or the stored one. */
async function page(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(PAGE);
  if (kept && !self.navigator.onLine) return kept;
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok) await cache.put(PAGE, answer.clone());
    return answer.ok || !kept ? answer : kept;
  } catch {
    return kept ?? fetch(request);
  }
}

/** Return a file. Its name contains a hash of its content, so that a stored file stays valid. */
async function file(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** Return a file of the interpreter, which src/device/files.ts has stored. */
async function interpreter(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function keep(paths) {
  const cache = await caches.open(KEPT);
  const known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  await cache.addAll(paths.filter((path) => path === PAGE || !known.has(path)));
}

async function clear() {
  const cache = await caches.open(KEPT);
  const old = (await cache.keys()).filter(({ url }) => !FILES.has(new URL(url).pathname) && new URL(url).pathname !== PAGE);
  await Promise.all(old.map((request) => cache.delete(request)));
}
