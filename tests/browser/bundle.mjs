// Modules of ui/src that import each other, for tests under Node and in blank pages.
import { stripTypeScriptTypes } from 'node:module';
import { rolldown } from '../../ui/node_modules/rolldown/dist/index.mjs';
import { compileModule } from '../../ui/node_modules/svelte/src/compiler/index.js';

const MESSAGES = 'messages';
/** A sentence is the key of its message. */
const KEYS = `export const t = (key) => key; export const language = () => 'en';`;
/** Modules with runes become modules with plain variables, and components are empty. `messages`: the module of the texts. */
const plain = (messages) => ({
  name: 'plain',
  resolveId: (id) => (/\/messages\.svelte$/.test(id) ? MESSAGES : undefined),
  load(id) {
    if (id === MESSAGES) return messages;
    return id.endsWith('.svelte') ? { code: 'export default {};', moduleType: 'js' } : undefined;
  },
  transform: (code, id) =>
    id.endsWith('.svelte.ts')
      ? { code: compileModule(stripTypeScriptTypes(code, { mode: 'transform' }), { generate: 'server', filename: id }).js.code, moduleType: 'js' }
      : undefined,
});

/**
 * Return a module and all that it imports as one script. `define`: by name the values that vite.config.ts inserts. `messages`: the
 * module of the texts.
 */
export async function written(path, output, define = {}, messages = KEYS) {
  const build = await rolldown({
    input: new URL(`../..${path}`, import.meta.url).pathname,
    plugins: [plain(messages)],
    transform: { define: { 'import.meta.url': '"file:///page.js"', ...define } },
    logLevel: 'silent',
  });
  return (await build.generate({ ...output, codeSplitting: false })).output[0].code;
}

/** Return the exports of a module. */
export const bundled = async (path, define, messages) =>
  import(`data:text/javascript,${encodeURIComponent(await written(path, { format: 'es' }, define, messages))}`);
