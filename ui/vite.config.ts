import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { messages } from './messages.ts';
import { pack } from './pack.ts';
import { worker } from './worker.ts';

/** What every page needs is one file; by itself each of these would be one that comes before anything is shown. */
const EVERYWHERE =
  /\/node_modules\/svelte\/|\/src\/(lib\/(api|live|messages|notices|router|settings|version)|components\/(Dialog|Failed|NotLoaded|Page)|start\/(choices|open|setup|SheetPicture|BoardPicture)|table\/(games|words))\./;
/** What is drawn at a table, and on pages that show a throw. */
const DRAWN = /\/src\/dice\/(Cube|Dice|Face)\./;
/** What every table needs, whichever game it plays. */
const AT_TABLES = /\/src\/(dice\/|table\/(?!Verify)|lib\/(attention|seeds|selection|table)\.|learning\/Panel\.)/;

export default defineConfig({
  plugins: [messages(), svelte(), worker(), pack()],
  build: {
    outDir: '../src/dicecup/web/static/app',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the policy of the pages allows no script or style that stands in the page itself
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { bundlerTimings: false, pluginTimings: false }, // a slow machine is no fault
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: EVERYWHERE, priority: 2 },
            { name: 'dice', test: DRAWN, priority: 1 },
            { name: 'table', test: AT_TABLES },
          ],
        },
      },
    },
  },
});
