import { readFileSync } from 'node:fs';
import wabt from 'wabt';
import type { Plugin } from 'vite';

/** Assemble files in the text format of WebAssembly. Such a file is a module whose default export is its bytes. */
export function wat(): Plugin {
  return {
    name: 'dicecup-wat',
    async load(id) {
      if (!id.endsWith('.wat')) return null;
      this.addWatchFile(id);
      const { parseWat } = await wabt();
      const module = parseWat(id, readFileSync(id, 'utf8'), { simd: true });
      const bytes = module.toBinary({}).buffer;
      module.destroy();
      return `export default Uint8Array.from(atob('${Buffer.from(bytes).toString('base64')}'), (letter) => letter.charCodeAt(0));`;
    },
  };
}
