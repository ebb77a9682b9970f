/**
 * The interpreter and the rooms that this version of the page was built with (ui/build.py), loaded
 * once and kept in the Cache API. Each file is checked against its hash before it is used. The
 * service worker stores the files of a new version and removes those of earlier ones (ui/sw.js).
 */
import { hex } from './browserStore';

const CACHE = 'dicecup-python';
const FOLDER = '/python/';
const KINDS: Record<string, string> = {
  json: 'application/json',
  mjs: 'text/javascript',
  tables: 'application/octet-stream',
  wasm: 'application/wasm',
  zip: 'application/zip',
};

interface File {
  path: string;
  bytes: number;
  /** Bytes on the network. */
  sent: number;
  sha256: string;
}

interface Index {
  interpreter: string;
  program: string;
  /** The compiled kernels, with which players by trained tables and analyses run; a build may have none. */
  kernels?: string;
  /** The file of each trained table, by its name in Python. Tables are loaded when they are needed. */
  tables?: Record<string, string>;
  files: File[];
}

/** The files of this version: the list of ui/build.py (vite.config.ts). */
declare const __PYTHON__: Index;
const INDEX = __PYTHON__;

/**
 * Why playing without a connection is not possible. `outdated`: the files of this version are gone,
 * and there are those of another one.
 */
export type Obstacle = 'insecure' | 'no-wasm' | 'no-storage' | 'full' | 'no-files' | 'damaged' | 'outdated' | 'failed';

export class ObstacleError extends Error {
  constructor(readonly obstacle: Obstacle) {
    super(obstacle);
  }
}

const urlOf = (path: string): string => FOLDER + path;

/** Return whether a content has a hash. */
async function fits(content: ArrayBuffer, sha256: string): Promise<boolean> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', content))) === sha256;
}

/** Load a file from the server. `onProgress` gets the bytes on the network so far. */
async function fetched({ path, bytes, sent, sha256 }: File, onProgress: (sent: number) => void): Promise<ArrayBuffer> {
  const answer = await fetch(urlOf(path)).catch(() => null);
  if (answer?.status === 404) throw new ObstacleError('outdated');
  if (!answer?.ok || !answer.body) throw new ObstacleError('no-files');
  const content = new Uint8Array(bytes);
  const reader = answer.body.getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new ObstacleError('no-files');
    });
    if (done) break;
    if (at + value.length > bytes) throw new ObstacleError('damaged');
    content.set(value, at);
    at += value.length;
    onProgress((at / bytes) * sent);
  }
  if (at !== bytes || !(await fits(content.buffer, sha256))) throw new ObstacleError('damaged');
  return content.buffer;
}

type OnProgress = (sent: number, all: number) => void;

/**
 * Load and keep every file of a list that is missing or damaged. Return the contents without those of
 * folders: the interpreter reads its files itself, and they are large.
 */
async function complete(cache: Cache, files: File[], onProgress: OnProgress): Promise<Map<string, ArrayBuffer>> {
  const contents = new Map<string, ArrayBuffer>();
  const missing: File[] = [];
  let damaged = false;
  for (const file of files) {
    const content = await (await cache.match(urlOf(file.path)))?.arrayBuffer();
    const isWhole = content !== undefined && (await fits(content, file.sha256));
    if (!isWhole) missing.push(file);
    else if (!file.path.includes('/')) contents.set(file.path, content);
    damaged ||= content !== undefined && !isWhole;
  }
  const all = missing.reduce((sum, { sent }) => sum + sent, 0);
  let before = 0;
  for (const file of missing) {
    const url = urlOf(file.path);
    await cache.delete(url);
    try {
      const content = await fetched(file, (sent) => onProgress(before + sent, all));
      const kind = KINDS[file.path.split('.').at(-1)!]!;
      const response = new Response(content.slice(0), { headers: { 'Content-Type': kind } });
      await cache.put(url, response).catch(() => undefined); // no room: the next start loads it again
      if (!file.path.includes('/')) contents.set(file.path, content);
    } catch (error) {
      throw damaged && error instanceof ObstacleError && error.obstacle !== 'outdated' ? new ObstacleError('damaged') : error;
    }
    before += file.sent;
  }
  return contents;
}

/** Return whether the device has the program of another version. */
async function hasOther(cache: Cache, index: Index): Promise<boolean> {
  const held = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  return held.some((path) => path.endsWith('.zip') && !index.files.some((file) => urlOf(file.path) === path));
}

export interface Loaded {
  /** The folder of the interpreter. */
  interpreter: string;
  program: ArrayBuffer;
  /** `null` where the build has none. */
  kernels: ArrayBuffer | null;
  /** The names of the trained tables. */
  tables: string[];
  /** Return a trained table, from the device or from the server. Throws `ObstacleError`. */
  table(name: string, onProgress: OnProgress): Promise<ArrayBuffer>;
}

/** Return what is needed to play, from the device or from the server. Throws `ObstacleError`. */
export async function loadFiles(onProgress: OnProgress): Promise<Loaded> {
  if (typeof caches === 'undefined' || !crypto.subtle) throw new ObstacleError('insecure');
  const cache = await caches.open(CACHE).catch(() => {
    throw new ObstacleError('no-storage');
  });
  try {
    return await loadedOf(cache, INDEX, onProgress);
  } catch (error) {
    const isAbsent = error instanceof ObstacleError && error.obstacle === 'no-files';
    throw isAbsent && (await hasOther(cache, INDEX)) ? new ObstacleError('outdated') : error;
  }
}

async function loadedOf(cache: Cache, index: Index, onProgress: OnProgress): Promise<Loaded> {
  const tables = index.tables ?? {};
  const later = new Set(Object.values(tables));
  const first = index.files.filter(({ path }) => !later.has(path));
  const contents = await complete(cache, first, onProgress);
  return {
    interpreter: urlOf(`${index.interpreter}/`),
    program: contents.get(index.program)!,
    kernels: index.kernels === undefined ? null : contents.get(index.kernels)!,
    tables: Object.keys(tables),
    async table(name, onTableProgress) {
      const path = tables[name]!;
      const file = index.files.filter((each) => each.path === path);
      return (await complete(cache, file, onTableProgress)).get(path)!;
    },
  };
}
