// The service worker: pages open without a server, too, and say so. It asks the server first for
// the page. Its own version of the page and of the loaded files is stored for the time without a
// server, and stays whole until no page of it is open. API requests are not stored. The files for
// playing without a connection are stored by src/device/files.ts first.
/* global self, caches, clients, location */
const FILES = new Set(__FILES__); // the files of this version (ui/worker.ts)
const SHELL = __SHELL__; // the files of the first visit; the script of the page is the first
const PYTHON = __PYTHON__.files.map(({ path }) => `/python/${path}`); // what plays without a connection (ui/build.py)
const PAGE = '/?version=__VERSION__'; // the page of this version
const KEPT = 'dicecup';
const KEPT_PYTHON = 'dicecup-python';
const CARDS = 'dicecup-mistakes'; // portions of cards (src/learning/mistakes.svelte.ts)
const PATIENCE = 5_000;
const NOT_OURS = /^\/(api|assets|docs|embed|health|metrics|python|static|verify|ws)(\/|$)|\.\w+$/;

self.addEventListener('install', (event) => event.waitUntil(install()));

// Runs when no page of the version before is open any more.
self.addEventListener('activate', (event) => event.waitUntil(clear().then(() => clients.claim())));

// Stores the files that a page had loaded before the worker was installed; `everything` for a page
// that is to play without a connection, which is told whether all is stored.
self.addEventListener('message', (event) => {
  const { data, ports } = event;
  if (data === 'everything') event.waitUntil(keepEverything().then(() => ports[0]?.postMessage(true), () => ports[0]?.postMessage(false)));
  else event.waitUntil(keep(data.filter((path) => FILES.has(path))));
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
  const kept = await (await caches.open(KEPT)).match(PAGE, { ignoreVary: true });
  if (kept && !self.navigator.onLine) return kept;
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
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

/** Store what the first visit needs, everything on a device that plays without a connection, and on one with cards its screens. */
async function install() {
  await keepPage();
  await keep(SHELL);
  if (await caches.has(KEPT_PYTHON)) await keepEverything();
  else if (await caches.has(CARDS)) await keepScreens();
}

/** Store the files of the screens that this device has loaded from the version before. */
async function keepScreens() {
  const seen = new Set((await (await caches.open(KEPT)).keys()).map((request) => nameOf(placeOf(request))));
  await keep([...FILES].filter((path) => seen.has(nameOf(path))));
}

/** Return a path without the hash of the content. */
const nameOf = (path) => path.replace(/-[\w-]{1,8}(?=\.\w+$)/, '');

async function keepEverything() {
  await keepPage();
  await keep([...FILES]);
  await add(KEPT_PYTHON, PYTHON);
}

/** Store the page. Throws where the server has another version by now. */
async function keepPage() {
  const cache = await caches.open(KEPT);
  if (await cache.match(PAGE, { ignoreVary: true })) return;
  const answer = await fetch(PAGE, { cache: 'no-cache' });
  if (!answer.ok || !(await answer.clone().text()).includes(SHELL[0])) throw new Error('another version');
  await cache.put(PAGE, answer);
}

const keep = (paths) => add(KEPT, paths);

/** Store files that are not stored yet. */
async function add(name, paths) {
  const cache = await caches.open(name);
  const known = new Set((await cache.keys()).map(placeOf));
  await cache.addAll(paths.filter((path) => !known.has(path)));
}

/** Remove the files of other versions. */
async function clear() {
  await remove(KEPT, new Set([PAGE, ...FILES]));
  if (await caches.has(KEPT_PYTHON)) await remove(KEPT_PYTHON, new Set(PYTHON));
}

async function remove(name, wanted) {
  const cache = await caches.open(name);
  const old = (await cache.keys()).filter((request) => !wanted.has(placeOf(request)));
  await Promise.all(old.map((request) => cache.delete(request)));
}

function placeOf({ url }) {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

// --- What people are told while the page is closed (docs/protocol.md, "Being told") ---

const TOLD = 'dicecup-told'; // the keys of the last messages, so that a double is dropped
const MOST_TOLD = 100;

self.addEventListener('push', (event) => event.waitUntil(tell(event.data.json())));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.path ?? '/'));
});

// The push service has ended a subscription: the new one takes its place.
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribe(event)));

/** Show a message. A later one of a topic replaces the earlier, and a withdrawal closes it. */
async function tell({ key, kind, topic, language, title, body, path }) {
  if (kind === 'withdrawn') {
    for (const shown of await self.registration.getNotifications({ tag: topic })) shown.close();
    return;
  }
  const told = await caches.open(TOLD);
  const address = `/told/${key}`;
  if (await told.match(address)) return;
  await self.registration.showNotification(title, { body, lang: language, tag: topic, renotify: true, icon: '/icon-192.png', data: { path } });
  await told.put(address, new Response(''));
  const keys = await told.keys();
  await Promise.all(keys.slice(0, -MOST_TOLD).map((old) => told.delete(old)));
}

/** Show a page: the window that has it open, or a new one. */
async function show(path) {
  const { pathname } = new URL(path, location.origin);
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find(({ url }) => new URL(url).pathname === pathname);
  return open ? open.focus() : clients.openWindow(path);
}

async function subscribe({ oldSubscription, newSubscription }) {
  const made = newSubscription ?? (oldSubscription && (await self.registration.pushManager.subscribe(oldSubscription.options)));
  if (!made) return;
  const { endpoint, keys } = made.toJSON();
  await fetch('/api/notices/push', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, keys }),
  });
}
