/**
 * The games on this device, in IndexedDB: the events of each table, its line in the list, the
 * finished games that the server has not got yet, and the key from which the dice follow. The rooms
 * in Python (src/dicecup/offline/store.py) read and write texts.
 */

const NAME = 'dicecup';
const VERSION = 2;
const KEY = 'key';
const KEY_BYTES = 32;

/** What is reported as stored is on the disk, also after a power cut, as far as the system keeps its word. */
const LASTING: IDBTransactionOptions = { durability: 'strict' };

/** A stored event: number, time, JSON text, and the id of the command that made it. */
type Row = [number: number, time: number, body: string, command: string];
interface Append {
  table: string;
  rows: Row[];
  line: string;
  /** The body of a request of docs/protocol.md, where the game is over now. */
  joins: string | null;
}

/** Why nothing could be stored or read; the codes of `OfflineCode`. */
export type Refusal = 'device-full' | 'device-refused' | 'table-incomplete';

/** Return whether an error says that there is no room. */
export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError';

const refusalOf = (error: unknown): Refusal => (isFull(error) ? 'device-full' : 'device-refused');

const refused = (why: Refusal): string => JSON.stringify({ refused: why });

export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Return `count` bytes of the browser's generator in hex. */
export const randomHex = (count: number): string => hex(crypto.getRandomValues(new Uint8Array(count)));

function result<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB'));
  });
}

/** Wait until a transaction is stored. */
function stored(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB'));
  });
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = ({ oldVersion }) => {
    if (oldVersion < 1) {
      request.result.createObjectStore('events', { keyPath: ['table', 'number'] });
      request.result.createObjectStore('lines', { keyPath: 'table' });
      request.result.createObjectStore('device');
    }
    request.result.createObjectStore('joining', { keyPath: 'table' });
  };
  return result(request);
}

/** The store of one page. `onAppend` is called with each table that this page has changed. */
export class BrowserStore {
  #database: Promise<IDBDatabase> | undefined;

  constructor(readonly onAppend: (table: string) => void = () => undefined) {}

  /** Return the database. A connection that the browser has closed is opened again. */
  #opened(): Promise<IDBDatabase> {
    this.#database ??= open().then(
      (database) => {
        const forget = (): void => {
          database.close();
          this.#database = undefined;
        };
        database.onversionchange = forget; // a newer version of the page waits for it
        database.onclose = forget;
        return database;
      },
      (error: unknown) => {
        this.#database = undefined;
        throw error;
      },
    );
    return this.#database;
  }

  /** Return the key of this device in hex; a new one where there is none. Rejects where nothing can be stored. */
  async key(): Promise<string> {
    const transaction = (await this.#opened()).transaction('device', 'readwrite', LASTING);
    const done = stored(transaction);
    const keys = transaction.objectStore('device');
    let key = (await result(keys.get(KEY))) as string | undefined;
    if (key === undefined) keys.add((key = randomHex(KEY_BYTES)), KEY);
    await done;
    return key;
  }

  /**
   * Save events and lines, all or none: `true`, or `false` where another page was first. Events whose
   * predecessor is missing are refused: the user has deleted the games meanwhile.
   */
  append = async (appends: string): Promise<string> => {
    const given = JSON.parse(appends) as Append[];
    let taken = false;
    let missing = false;
    try {
      const transaction = (await this.#opened()).transaction(['events', 'lines', 'joining'], 'readwrite', LASTING);
      const done = stored(transaction);
      try {
        const events = transaction.objectStore('events');
        for (const { table, rows, line, joins } of given) {
          const before = rows[0]![0] - 1;
          events.count([table, before]).onsuccess = ({ target }) => {
            if (before === 0 || (target as IDBRequest<number>).result) return;
            missing = true;
            transaction.abort();
          };
          for (const [number, time, body, command] of rows) {
            events.add({ table, number, time, body, command }).onerror = ({ target }) => {
              taken ||= (target as IDBRequest).error?.name === 'ConstraintError';
            };
          }
          transaction.objectStore('lines').put({ table, line });
          if (joins) transaction.objectStore('joining').put({ table, body: joins });
        }
      } catch (error) {
        done.catch(() => undefined);
        transaction.abort(); // all or none of them
        throw error;
      }
      await done;
    } catch (error) {
      if (missing) return refused('table-incomplete');
      return taken ? 'false' : refused(refusalOf(error));
    }
    for (const { table } of given) this.onAppend(table);
    return 'true';
  };

  /** Return the events of a table after a number. */
  rows = async (table: string, after: number): Promise<string> => {
    try {
      const events = (await this.#opened()).transaction('events').objectStore('events');
      const found = await result(events.getAll(IDBKeyRange.bound([table, after + 1], [table, Infinity])));
      return JSON.stringify(found.map(({ number, time, body, command }) => [number, time, body, command]));
    } catch (error) {
      return refused(refusalOf(error));
    }
  };

  /** Return the finished games that the server has not got yet. Rejects where nothing can be read. */
  async joining(): Promise<{ table: string; body: string }[]> {
    return result((await this.#opened()).transaction('joining').objectStore('joining').getAll());
  }

  /** Forget a finished game that the server has got. Rejects where nothing can be stored. */
  async joined(table: string): Promise<void> {
    const transaction = (await this.#opened()).transaction('joining', 'readwrite', LASTING);
    const done = stored(transaction);
    transaction.objectStore('joining').delete(table);
    await done;
  }

  /** Return the lines of all tables. */
  lines = async (): Promise<string> => {
    try {
      const lines = (await this.#opened()).transaction('lines').objectStore('lines');
      return JSON.stringify((await result(lines.getAll())).map(({ line }) => line as string));
    } catch (error) {
      return refused(refusalOf(error));
    }
  };
}
