import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { messages } from './messages.ts';
import { pack } from './pack.ts';
import { worker } from './worker.ts';

export default defineConfig({
  plugins: [messages(), svelte(), worker(), pack()],
  build: {
    outDir: '../src/dicecup/web/static/app',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the policy of the pages allows no script or style that stands in the page itself
    modulePreload: { polyfill: false },
  },
});
