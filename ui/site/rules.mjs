// Writes the rules as HTML for the docs site: `node site/rules.mjs FILE`. It reads the answers of the server that the pages of the rules ask
// for, as they lie in the storage of a browser: {"dicecup-games": …, "dicecup-board": …}.
import { writeFileSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createServer, runnerImport } from 'vite';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const stored = await json(process.stdin);
// What the modules of the page ask a browser for.
globalThis.localStorage = { getItem: (key) => (key in stored ? JSON.stringify(stored[key]) : null), setItem: () => undefined };
globalThis.document = { documentElement: {} };
globalThis.location = new URL('http://localhost/');

const { messages } = (await runnerImport(path('../messages.ts'))).module;
const server = await createServer({
  configFile: false,
  root: path('..'),
  logLevel: 'warn',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true },
  define: { __PYTHON__: '{}' },
  plugins: [messages(), svelte({ compilerOptions: { css: 'injected' } })],
  resolve: {
    alias: [
      { find: /^\.{1,2}\/(Guide|Section)\.svelte$/, replacement: path('./$1.svelte') },
      { find: /^(\.\.\/)+yam_master\/Board\.svelte$/, replacement: path('./Board.svelte') },
    ],
  },
});
try {
  const { rules } = await server.ssrLoadModule('/site/rules.ts');
  writeFileSync(process.argv[2], JSON.stringify(await rules()));
} finally {
  await server.close();
}
