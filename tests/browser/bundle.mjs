// Modules of ui/src that import each other, for tests under Node and in blank pages.
import { rolldown } from '../../ui/node_modules/rolldown/dist/index.mjs';

/** Return a module and all that it imports as one script. `define`: by name the values that vite.config.ts inserts. */
export async function written(path, output, define = {}) {
  const build = await rolldown({ input: new URL(`../..${path}`, import.meta.url).pathname, transform: { define }, logLevel: 'silent' });
  return (await build.generate(output)).output[0].code;
}

/** Return the exports of a module. */
export const bundled = async (path, define) =>
  import(`data:text/javascript,${encodeURIComponent(await written(path, { format: 'es' }, define))}`);
