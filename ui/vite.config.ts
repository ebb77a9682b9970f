import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { messages } from './messages.ts';
import { pack } from './pack.ts';
import { worker } from './worker.ts';

/** What plays without a connection, as build.py has packed it. */
const PYTHON = readFileSync(new URL('../src/dicecup/web/static/python/index.json', import.meta.url), 'utf8');
/** Modules that every page needs: one file, since each file delays the first paint. */
const EVERYWHERE =
  /virtual:languages|\/node_modules\/svelte\/|\/src\/(lib\/(announcer|api|games|messages|notices|router|settings|version)|device\/used|components\/(Dialog|LoadError|Page|RenderError)|table\/(labels|screens))\./;
/** Modules of the start page that the form for a new game needs, too. */
const START = /\/src\/start\/(BoardPicture|GenericPicture|SheetPicture|choices|openTable|setup)\./;
/** Modules for tables that other pages need, too: dice and sounds. */
const DRAWN = /\/src\/(dice\/(Cube|Dice|Face)|lib\/sounds)\./;
/** Modules that show the dice and what is played at a table. */
const PLAY = /\/src\/(dice\/|playback\/|table\/(Tray|TurnHistory|narration|turnHistory)|lib\/(diceSeeds|gameTable|selection|table)\.)/;
/** Modules that the tables of all games need. */
const AT_TABLES = /\/src\/(dice\/|table\/(?!ActionList|DiceVerification|GenericGame)|lib\/(diceSeeds|focus|selection|signals|table)\.|learning\/AdvicePanel\.)/;

export default defineConfig({
  define: { __PYTHON__: PYTHON },
  plugins: [messages(), svelte(), worker(PYTHON), pack()],
  // The server lets this worker compile WebAssembly, and knows it by its name (web/app_files.py).
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/pythonWorker-[hash].js' } } },
  build: {
    outDir: '../src/dicecup/web/static/app',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy of the pages allows no inline script or style
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { bundlerTimings: false, pluginTimings: false }, // warnings about slow builds
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: EVERYWHERE, priority: 2 },
            { name: 'notation', test: /\/src\/lib\/notation\./, priority: 3 },
            { name: 'start', test: START, priority: 1 },
            { name: 'dice', test: DRAWN, priority: 1 },
            { name: 'play', test: PLAY },
            { name: 'table', test: AT_TABLES },
          ],
        },
      },
    },
  },
});
