// Runs ui/sw.js with stored files and a server in memory. Reads a JSON list of steps from standard
// input and prints the answer of each. Version N of the page has the files of `built(N)`. Steps:
// ["deploy", N]: the server has version N; ["network", on]; ["use"]: the device plays without a
// connection; ["install", N], ["activate", N]; ["message", N, data]; ["open", path]: the page that the
// active worker answers; ["cards"]: the device has cards of own mistakes; ["file", path]; ["held"]: all stored addresses; ["room", yes].
// ["push", data]: a message arrives; ["shown"]: the notifications; ["dismiss"]: the user closes them;
// ["click", path]: the user opens one, with the pages of ["windows", paths] open.
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const ORIGIN = 'https://dicecup.test';
const source = readFileSync(new URL('../../ui/sw.js', import.meta.url), 'utf8');
const built = (version) => ({
  files: ['index', 'base', 'Device', 'pythonWorker'].map((name) => `/assets/${name}-${version}.js`),
  python: {
    interpreter: 'pyodide-3.1',
    program: `dicecup-${version}.zip`,
    files: ['pyodide-3.1/pyodide.mjs', `dicecup-${version}.zip`].map((path) => ({ path })),
  },
});
const addressOf = (asked) => new URL(typeof asked === 'string' ? asked : asked.url, ORIGIN).href;

let deployed = 1;
let network = true;
let room = true;
const stored = new Map();

async function fetched(asked) {
  if (!network) throw new TypeError('no network');
  const { pathname } = new URL(addressOf(asked));
  const { files, python } = built(deployed);
  if (files.includes(pathname) || python.files.some(({ path }) => `/python/${path}` === pathname)) return new Response(pathname);
  const isPage = !/^\/(assets|python)\//.test(pathname);
  return isPage ? new Response(`page ${deployed} <script src="/assets/index-${deployed}.js">`) : new Response('', { status: 404 });
}

let shown = [];
let windows = [];
let opened = null;
const registration = {
  getNotifications: async ({ tag }) => shown.filter((each) => each.tag === tag),
  async showNotification(title, { body, tag, data }) {
    shown = [...shown.filter((each) => each.tag !== tag), { title, body, tag, ...data, close: () => (shown = shown.filter((each) => each.tag !== tag)) }];
  },
};
const clients = {
  claim() {},
  matchAll: async () => windows.map((path) => ({ url: ORIGIN + path, focus: () => (opened = ['focus', path]) })),
  openWindow: (path) => (opened = ['open', path]),
};

class FakeCache {
  held = new Map();
  async match(asked) {
    return this.held.get(addressOf(asked))?.clone();
  }
  async put(asked, answer) {
    if (!room) throw new DOMException('full', 'QuotaExceededError');
    this.held.set(addressOf(asked), answer);
  }
  async addAll(paths) {
    const answers = await Promise.all(paths.map(fetched));
    if (answers.some(({ ok }) => !ok)) throw new TypeError('not found');
    for (const [place, path] of paths.entries()) await this.put(path, answers[place]);
  }
  async keys() {
    return [...this.held.keys()].map((url) => ({ url }));
  }
  async delete(asked) {
    return this.held.delete(addressOf(asked));
  }
}

const caches = {
  async open(name) {
    if (!stored.has(name)) stored.set(name, new FakeCache());
    return stored.get(name);
  },
  has: async (name) => stored.has(name),
  async match(asked) {
    for (const cache of stored.values()) if (cache.held.has(addressOf(asked))) return cache.match(asked);
    return undefined;
  },
};

function started(version) {
  const { files, python } = built(version);
  const listeners = {};
  const self = { registration, addEventListener: (kind, listener) => (listeners[kind] = listener), navigator: { get onLine() { return network; } } };
  const text = source
    .replace('__FILES__', JSON.stringify(files))
    .replace('__SHELL__', JSON.stringify(files.slice(0, 2)))
    .replace('__PYTHON__', JSON.stringify(python))
    .replace('__VERSION__', `${version}`);
  vm.runInNewContext(text, { self, caches, fetch: fetched, URL, AbortSignal, Response, clients, location: { origin: ORIGIN } });
  return (kind, event = {}) => {
    let work;
    listeners[kind]({ waitUntil: (given) => (work = given), respondWith: (given) => (work = given), ...event });
    return work;
  };
}

const workers = new Map();
let active;
const ended = (work) => work.then(() => true, () => false);
const steps = {
  deploy: (version) => void (deployed = version),
  network: (on) => void (network = on),
  room: (yes) => void (room = yes),
  async use() {
    const cache = await caches.open('dicecup-python');
    for (const { path } of built(deployed).python.files) await cache.put(`/python/${path}`, new Response(path));
  },
  cards: async () => void (await caches.open('dicecup-mistakes')),
  install(version) {
    workers.set(version, started(version));
    return ended(workers.get(version)('install'));
  },
  activate(version) {
    active = workers.get(version);
    return ended(active('activate'));
  },
  async message(version, data) {
    let answer = null;
    await ended(workers.get(version)('message', { data, ports: [{ postMessage: (given) => (answer = given) }] }));
    return answer;
  },
  async open(path) {
    const answer = await active('fetch', { request: { method: 'GET', mode: 'navigate', url: addressOf(path) } });
    return (await answer.text()).split(' <')[0];
  },
  file: (path) =>
    active('fetch', { request: { method: 'GET', mode: 'cors', url: addressOf(path) } }).then(({ ok }) => ok, () => false),
  push: (data) => ended(active('push', { data: { json: () => data } })),
  shown: () => shown.map(({ title, body, tag, path }) => [title, body, tag, path]),
  dismiss: () => void (shown = []),
  windows: (paths) => void (windows = paths),
  async click(path) {
    opened = null;
    await active('notificationclick', { notification: { close() {}, data: path && { path } } });
    return opened;
  },
  held: () => [...stored.values()].flatMap((cache) => [...cache.held.keys()].map((url) => url.slice(ORIGIN.length))).sort(),
};

const answers = [];
for (const [step, ...given] of JSON.parse(readFileSync(0, 'utf8'))) answers.push((await steps[step](...given)) ?? null);
process.stdout.write(JSON.stringify(answers));
