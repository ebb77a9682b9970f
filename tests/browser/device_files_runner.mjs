// Calls `loadFiles` of ui/src/device/files.ts once for each case of a JSON list from standard input:
// {"held": [paths], "damaged": [paths], "served": [paths] or null without a connection, "full": yes}.
// Prints for each the obstacle or the program, and the paths that are stored afterwards.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bundled } from './bundle.mjs';

const paths = ['pyodide-2/pyodide.mjs', 'dicecup-2.zip'];
const files = paths.map((path) => ({
  path,
  bytes: path.length,
  sent: path.length,
  sha256: createHash('sha256').update(path).digest('hex'),
}));
const index = { interpreter: 'pyodide-2', program: 'dicecup-2.zip', files };
const { loadFiles } = await bundled('/ui/src/device/files.ts', { __PYTHON__: JSON.stringify(index) });

async function outcome({ held = [], damaged = [], served = null, full = false }) {
  const stored = new Map([...held.map((path) => [path, path]), ...damaged.map((path) => [path, '?'])]);
  const nameOf = (url) => url.replace('/python/', '');
  const cache = {
    match: async (url) => (stored.has(nameOf(url)) ? new Response(stored.get(nameOf(url))) : undefined),
    async put(url, answer) {
      if (full) throw new DOMException('full', 'QuotaExceededError');
      stored.set(nameOf(url), await answer.text());
    },
    delete: async (url) => stored.delete(nameOf(url)),
    keys: async () => [...stored.keys()].map((path) => ({ url: `https://dicecup.test/python/${path}` })),
  };
  globalThis.caches = { open: async () => cache };
  globalThis.fetch = async (url) => {
    if (served === null) throw new TypeError('no network');
    return served.includes(nameOf(url)) ? new Response(nameOf(url)) : new Response('', { status: 404 });
  };
  const kept = () => [...stored.keys()].sort();
  try {
    const { interpreter, program } = await loadFiles(() => undefined);
    return { interpreter, program: new TextDecoder().decode(program), kept: kept() };
  } catch (error) {
    return { obstacle: error.obstacle ?? String(error), kept: kept() };
  }
}

const answers = [];
for (const given of JSON.parse(readFileSync(0, 'utf8'))) answers.push(await outcome(given));
process.stdout.write(JSON.stringify(answers));
