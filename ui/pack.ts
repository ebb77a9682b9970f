import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Below this many bytes, or where it saves less than a tenth, a file goes as it is. */
const LEAST = 1024;
const PACKABLE = /\.(css|html|js|svg|webmanifest)$/;

/** Leaves every file in the encodings of the network beside it, so that the server never compresses anything itself. */
export function pack(): Plugin {
  let folder = '';
  return {
    name: 'dicecup-pack',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir;
    },
    writeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!PACKABLE.test(name)) continue;
        const plain = readFileSync(join(folder, name));
        const packed = {
          '.br': brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
          '.gz': gzipSync(plain, { level: 9 }),
        };
        for (const [suffix, bytes] of Object.entries(packed)) {
          if (plain.length >= LEAST && bytes.length < 0.9 * plain.length) writeFileSync(join(folder, name + suffix), bytes);
        }
      }
    },
  };
}
