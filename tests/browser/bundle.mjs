// Modules of ui/src that import each other, for tests under Node.
import { rolldown } from '../../ui/node_modules/rolldown/dist/index.mjs';

/** Return the exports of a module, `/ui/src/device/files.ts` for example. `define`: by name the values that vite.config.ts inserts. */
export async function bundled(path, define = {}) {
  const build = await rolldown({ input: new URL(`../..${path}`, import.meta.url).pathname, transform: { define }, logLevel: 'silent' });
  const { output } = await build.generate({ format: 'es' });
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}
