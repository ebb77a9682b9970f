import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Smallest size in bytes that is compressed. A file is also left alone where compression saves less
 * than a tenth.
 */
const LEAST = 1024;
const PACKABLE = /\.(bin|css|html|js|svg|webmanifest)$/;

/**
 * Write each file in the content encodings of the network, too, so that the server compresses
 * nothing itself.
 */
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
