import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rollup } from 'vite';

const SOURCE = fileURLToPath(new URL('sw.js', import.meta.url));

/** Write the service worker: sw.js with the names of the built files, and the list `python` of ui/build.py as JSON. */
export function worker(python: string): Plugin {
  return {
    name: 'dicecup-worker',
    apply: 'build',
    buildStart() {
      this.addWatchFile(SOURCE);
    },
    generateBundle(_, bundle) {
      const files = JSON.stringify(Object.keys(bundle).filter((name) => name.startsWith('assets/')).map((name) => `/${name}`));
      const source = readFileSync(SOURCE, 'utf8')
        .replace('__FILES__', files)
        .replace('__SHELL__', JSON.stringify([...shell(bundle)].map((name) => `/${name}`)))
        .replace('__PYTHON__', python)
        .replace('__VERSION__', createHash('sha256').update(files + python).digest('hex').slice(0, 16));
      this.emitFile({ type: 'asset', fileName: 'sw.js', source });
    },
  };
}

/** Return the files that the page loads at first: the entry, its imports and styles. */
function shell(bundle: Rollup.OutputBundle): Set<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    const part = bundle[name];
    if (part?.type !== 'chunk' || found.has(name)) return;
    found.add(name);
    part.viteMetadata?.importedCss.forEach((style) => found.add(style));
    part.imports.forEach(add);
  };
  for (const [name, part] of Object.entries(bundle)) if (part.type === 'chunk' && part.isEntry) add(name);
  return found;
}
