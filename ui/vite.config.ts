import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { messages } from './messages.ts';
import { pack } from './pack.ts';
import { wat } from './wat.ts';
import { worker } from './worker.ts';

/** What plays without a connection, as build.py has packed it. */
const PYTHON = readFileSync(new URL('../src/dicecup/web/static/python/index.json', import.meta.url), 'utf8');
/** The workers by their source. The server lets them compile WebAssembly, and knows them by their names (web/app_files.py). */
const WORKERS: Record<string, string> = { 'worker.ts': 'pythonWorker', 'diceWorker.ts': 'diceWorker' };
/** Modules that every page needs: one file, since each file delays the first paint. */
const EVERYWHERE =
  /virtual:languages|preload-helper|\/node_modules\/(svelte|clsx|esm-env)\/|\/src\/(lib\/(announcer|api|games|lobbyNow|messages|notices|router|settings|version)|device\/used|components\/(bar|Dialog|LoadError|Page|RenderError)|guide\/progress|start\/(looks|myTables|tables)|table\/(labels|screens))\./;
/** A part of Svelte that few pages need. */
const FADING = /\/node_modules\/svelte\/.*\/transitions\.js/;
/** Modules that the start page brings along and that others need, too. The page loads them wherever it opens. */
const START =
  /\/node_modules\/svelte\/.*\/(select|input|size|clone|svelte-component)\.js|\/src\/(start\/(BoardPicture|fittingLevel|GenericPicture|SheetPicture|choices|openTable|setup|summary)|lib\/notation)\./;
/**
 * Modules that every table shows at once, with its dice and what is played. They need each other, and
 * one file is smaller than several. What a table shows later has files of its own.
 */
const AT_TABLES =
  /\/src\/(dice\/(?!DiceEntry|FaceButtons|StartingDie|realDice)|playback\/|table\/(Banner|banners|Clock|ConnectionNotice|finale|Frame|hold|labels|Menu|narration|NumberedName|outcome|Preparing|SeedExchange|Seats|SoundButton|Sounds|steadyHeight|steps|TablePage|time|Tray|TrayHeader|turnHistory|TurnSignals|turns)\.|lib\/(diceSeeds|focus|gameTable|selection|signals|sounds|table|window)\.|components\/AskOnce\.|yam_master\/Token\.|learning\/AdvicePanel\.)/;
/** Modules that the screens of both games show beside board or sheet. */
const BESIDE = /\/src\/table\/(MatchScore|TurnHistory)\./;
/** Modules that a screen of one game shows at once. */
const YAM_MASTER = /\/src\/yam_master\/(Board|Lines|SquareButton|squares)\./;
const YAMM = /\/src\/yamm\/(Cell|dock|grid|labels|PlaceButton|Places|MoreButton|Sheet|sheets|sheetView|StatusLine|StrikeQuestion|Sums|Totals)\./;

export default defineConfig({
  define: { __PYTHON__: PYTHON },
  plugins: [messages(), svelte(), worker(PYTHON), pack()],
  worker: { format: 'es', plugins: () => [wat()], rolldownOptions: { output: { entryFileNames: ({ facadeModuleId }) => `assets/${WORKERS[basename(facadeModuleId!)]}-[hash].js` } } },
  build: {
    outDir: '../src/dicecup/web/static/app',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy of the pages allows no inline script or style
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { bundlerTimings: false, pluginTimings: false }, // warnings about slow builds
      // Svelte defines a base class for custom elements wherever it is imported; the page has none.
      treeshake: { moduleSideEffects: [{ test: /\/svelte\/.*\/(custom-element|transitions)\.js/, sideEffects: false }] },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'fading', test: FADING, priority: 3 },
            { name: 'base', test: EVERYWHERE, priority: 2 },
            { name: 'start', test: START, priority: 3 },
            { name: 'table', test: AT_TABLES },
            { name: 'beside', test: BESIDE },
            { name: 'board', test: YAM_MASTER },
            { name: 'sheet', test: YAMM },
          ],
        },
      },
    },
  },
});
