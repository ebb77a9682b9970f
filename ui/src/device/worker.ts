/**
 * The worker that plays without a server: Python, the rooms (src/dicecup/offline), and the store of
 * this device. It holds no rule: texts go in and come out.
 */
import { loadFiles, ObstacleError, type Loaded } from './files';
import type { FromWorker, ToWorker } from './protocol';
import { BrowserStore, isFull, randomHex } from './browserStore';

/** `dicecup.offline.room.Room`. */
interface Room {
  request(method: string, path: string, body: string, language: string): Promise<string>;
  open(connection: number, table: string, language: string): void;
  receive(connection: number, text: string): Promise<void>;
  closed(connection: number): void;
  seconds_to_tick(): number | undefined;
  tick(): Promise<void>;
  changed(table: string): Promise<void>;
}

interface Python {
  unpackArchive(archive: ArrayBuffer, format: string, options: { extractDir: string }): void;
  pyimport(name: string): {
    open_room(
      store: BrowserStore,
      key: string,
      randomHex: (count: number) => string,
      send: unknown,
      close: unknown,
      load: ((name: string) => Promise<boolean>) | undefined,
    ): Room;
  };
  runPython(code: string): unknown;
  FS: { mkdirTree(path: string): void; writeFile(path: string, content: Uint8Array): void };
}

const LONGEST = 2 ** 31 - 1;
const PROGRAM = '/dicecup';
const KERNELS = `${PROGRAM}/dicecup/engine/native/built`;
const TABLES = `${PROGRAM}/dicecup/players/tables`;
/** The smallest module. Compiling it fails where the page forbids WebAssembly. */
const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

const post = (message: FromWorker): void => self.postMessage(message);
const others = new BroadcastChannel('dicecup-tables');
const store = new BrowserStore((table) => others.postMessage(table));
let loaded: Loaded;
let timer: ReturnType<typeof setTimeout> | undefined;
let turn: Promise<unknown> = Promise.resolve();

async function start(): Promise<Room> {
  try {
    new WebAssembly.Module(EMPTY);
  } catch {
    throw new ObstacleError('no-wasm');
  }
  const key = await store.key().catch((error: unknown) => {
    throw new ObstacleError(isFull(error) ? 'full' : 'no-storage');
  });
  loaded = await loadFiles(onProgress);
  return opened(loaded, key);
}

const onProgress = (sent: number, all: number): void => post({ kind: 'progress', sent, all });

/** Tables on their way, by name. */
const coming = new Map<string, Promise<ArrayBuffer>>();

/** Return a trained table. The room and `complete` share a transfer. */
function table({ table }: Loaded, name: string): Promise<ArrayBuffer> {
  let found = coming.get(name);
  if (!found) {
    found = table(name, onProgress).finally(() => coming.delete(name));
    coming.set(name, found);
  }
  return found;
}

/** Load the tables that are not on the device, so that no level needs a connection later. */
async function complete(found: Loaded): Promise<void> {
  let whole = true;
  for (const name of found.tables) {
    await table(found, name).catch(() => (whole = false));
  }
  post({ kind: 'tables', whole });
}

async function opened(found: Loaded, key: string): Promise<Room> {
  const { interpreter, program, kernels } = found;
  const { loadPyodide } = (await import(/* @vite-ignore */ `${interpreter}pyodide.mjs`)) as {
    loadPyodide: (options: { indexURL: string }) => Promise<Python>;
  };
  const python = await loadPyodide({ indexURL: new URL(interpreter, location.origin).href });
  python.unpackArchive(program, 'zip', { extractDir: PROGRAM });
  python.runPython(`import sys; sys.path.insert(0, '${PROGRAM}')`);
  for (const folder of [KERNELS, TABLES]) python.FS.mkdirTree(folder);
  if (kernels) python.FS.writeFile(`${KERNELS}/kernels.wasm`, new Uint8Array(kernels));
  const load = (name: string): Promise<boolean> =>
    table(found, name).then(
      (content) => (python.FS.writeFile(`${TABLES}/${name}`, new Uint8Array(content)), true),
      () => false,
    );
  const send = (connection: number, text: string): void => post({ kind: 'text', connection, text });
  const close = (connection: number, code: number): void => post({ kind: 'closed', connection, code });
  return python.pyimport('dicecup.offline.page').open_room(store, key, randomHex, send, close, kernels ? load : undefined);
}

const room = start();
room.then(
  () => {
    post({ kind: 'ready' });
    void complete(loaded);
  },
  (error: unknown) => {
    if (!(error instanceof ObstacleError)) console.error(error);
    post({ kind: 'obstacle', obstacle: error instanceof ObstacleError ? error.obstacle : 'failed' });
  },
);

/**
 * Call the room when it has answered everything before, and set its timer afterwards. The room
 * itself answers errors: after any other the page has to start anew.
 */
function inTurn(work: (room: Room) => unknown): void {
  turn = turn
    .then(async () => {
      const opened = await room;
      await work(opened);
      schedule(opened);
    })
    .catch((error: unknown) => {
      if (error instanceof ObstacleError) return; // the page knows it
      console.error(error);
      post({ kind: 'obstacle', obstacle: 'failed' });
    });
}

function schedule(opened: Room): void {
  clearTimeout(timer);
  const seconds = opened.seconds_to_tick();
  if (seconds === undefined) return;
  timer = setTimeout(() => inTurn((room) => room.tick()), Math.min(1000 * seconds, LONGEST));
}

others.onmessage = ({ data }: MessageEvent<string>) => inTurn((opened) => opened.changed(data));

self.onmessage = ({ data }: MessageEvent<ToWorker>) =>
  inTurn(async (opened) => {
    switch (data.kind) {
      case 'ask': {
        const text = await opened.request(data.method, data.path, data.body, data.language);
        post({ kind: 'answer', id: data.id, text });
        break;
      }
      case 'open':
        opened.open(data.connection, data.table, data.language);
        break;
      case 'text':
        await opened.receive(data.connection, data.text);
        break;
      case 'close':
        opened.closed(data.connection);
    }
  });
