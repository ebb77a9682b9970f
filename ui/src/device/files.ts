/**
 * The interpreter and the rooms (`/python/index.json`, ui/build.py), loaded once and kept in the
 * Cache API. Each file is checked against its hash before it is used.
 */
import { hex } from './shelf';

const CACHE = 'dicecup-python';
const FOLDER = '/python/';
const INDEX = `${FOLDER}index.json`;
/** Milliseconds allowed for the list of the files. */
const PATIENCE = 5_000;
const KINDS: Record<string, string> = {
  json: 'application/json',
  mjs: 'text/javascript',
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
  files: File[];
}

/** Why playing without a connection is not possible. */
export type Obstacle = 'insecure' | 'no-wasm' | 'no-storage' | 'full' | 'no-files' | 'damaged' | 'failed';

export class ObstacleError extends Error {
  constructor(readonly obstacle: Obstacle) {
    super(obstacle);
  }
}

const urlOf = (path: string): string => FOLDER + path;
const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError';

/** Return whether a content has a hash. */
async function fits(content: ArrayBuffer, sha256: string): Promise<boolean> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', content))) === sha256;
}

/** Return the newest list of the server, `null` without a connection. */
async function newest(): Promise<Index | null> {
  try {
    const answer = await fetch(INDEX, { cache: 'no-cache', signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok ? ((await answer.json()) as Index) : null;
  } catch {
    return null;
  }
}

/** Load a file from the server. `tell` gets the bytes on the network so far. */
async function fetched({ path, bytes, sent, sha256 }: File, tell: (sent: number) => void): Promise<ArrayBuffer> {
  const answer = await fetch(urlOf(path)).catch(() => null);
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
    tell((at / bytes) * sent);
  }
  if (at !== bytes || !(await fits(content.buffer, sha256))) throw new ObstacleError('damaged');
  return content.buffer;
}

/** Return the content of every file of a list. A file that is missing or damaged is loaded and kept. */
async function complete(cache: Cache, index: Index, tell: (sent: number, all: number) => void): Promise<Map<string, ArrayBuffer>> {
  const contents = new Map<string, ArrayBuffer>();
  const missing: File[] = [];
  let damaged = false;
  for (const file of index.files) {
    const content = await (await cache.match(urlOf(file.path)))?.arrayBuffer();
    if (content && (await fits(content, file.sha256))) contents.set(file.path, content);
    else missing.push(file);
    damaged ||= content !== undefined && !contents.has(file.path);
  }
  const all = missing.reduce((sum, { sent }) => sum + sent, 0);
  let before = 0;
  for (const file of missing) {
    const url = urlOf(file.path);
    await cache.delete(url);
    try {
      const content = await fetched(file, (sent) => tell(before + sent, all));
      const kind = KINDS[file.path.split('.').at(-1)!]!;
      await cache.put(url, new Response(content.slice(0), { headers: { 'Content-Type': kind } }));
      contents.set(file.path, content);
    } catch (error) {
      if (isFull(error)) throw new ObstacleError('full');
      throw damaged && error instanceof ObstacleError ? new ObstacleError('damaged') : error;
    }
    before += file.sent;
  }
  return contents;
}

/** Remove the files of earlier versions. */
async function clear(cache: Cache, index: Index): Promise<void> {
  const listed = new Set([INDEX, ...index.files.map(({ path }) => urlOf(path))]);
  const old = (await cache.keys()).filter(({ url }) => !listed.has(new URL(url).pathname));
  await Promise.all(old.map((request) => cache.delete(request)));
}

export interface Loaded {
  /** The folder of the interpreter. */
  interpreter: string;
  program: ArrayBuffer;
}

/**
 * Return what is needed to play, from the device or from the server. Without a connection, or where
 * a new version cannot be loaded, the version on the device is used. Throws `ObstacleError`.
 */
export async function loadFiles(tell: (sent: number, all: number) => void): Promise<Loaded> {
  if (typeof caches === 'undefined' || !crypto.subtle) throw new ObstacleError('insecure');
  const cache = await caches.open(CACHE).catch(() => {
    throw new ObstacleError('no-storage');
  });
  const held = (await (await cache.match(INDEX))?.json().catch(() => null)) as Index | null | undefined;
  const found = await newest();
  const index = found ?? held;
  if (!index) throw new ObstacleError('no-files');
  try {
    const loaded = await loadedOf(cache, index, tell);
    await cache.put(INDEX, new Response(JSON.stringify(index), { headers: { 'Content-Type': KINDS['json']! } }));
    await clear(cache, index);
    return loaded;
  } catch (error) {
    if (isFull(error)) throw new ObstacleError('full');
    if (!found || !held || found.program === held.program) throw error;
    return await loadedOf(cache, held, tell); // the version before is whole
  }
}

async function loadedOf(cache: Cache, index: Index, tell: (sent: number, all: number) => void): Promise<Loaded> {
  const contents = await complete(cache, index, tell);
  return { interpreter: urlOf(`${index.interpreter}/`), program: contents.get(index.program)! };
}
