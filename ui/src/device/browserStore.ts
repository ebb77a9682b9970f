/**
 * The games on this device, in IndexedDB: the events of each table, its line in the list, the
 * finished games that the server has not got yet, the games that belong to tables of the server
 * (docs/decisions/0029), and the key from which the dice follow. The rooms
 * in Python (src/dicecup/offline/store.py) read and write texts.
 */

const NAME = 'dicecup';
const VERSION = 3;
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
  /** The table of the server whose game this is, and the request that hands it back as it is now. */
  origin: string | null;
  returns: string | null;
}

/** A game that belongs to a table of the server. */
export interface Returning {
  table: string;
  origin: string;
  /** The request that hands the game back as it was after the event `number`; `null` before the first. */
  body: string | null;
  number: number;
  /** Whether the server did not take it back, so that it stays here. */
  kept: boolean;
  /** What joins once it is kept. */
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
    if (oldVersion < 2) request.result.createObjectStore('joining', { keyPath: 'table' });
    request.result.createObjectStore('returning', { keyPath: 'table' });
  };
  return result(request);
}

/** Note how a game of the server can be handed back, and what it joins instead if it is kept. */
function noteReturn(transaction: IDBTransaction, { table, rows, joins, origin, returns }: Append): void {
  const entries = transaction.objectStore('returning');
  entries.get(table).onsuccess = ({ target }) => {
    const before = (target as IDBRequest<Returning | undefined>).result;
    if (before?.kept) {
      if (joins) transaction.objectStore('joining').put({ table, body: joins });
      return;
    }
    const current = returns ? { body: returns, number: rows.at(-1)![0] } : {};
    entries.put({ table, origin, body: null, number: 0, kept: false, ...before, ...current, joins: joins ?? before?.joins ?? null });
  };
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
      const transaction = (await this.#opened()).transaction(['events', 'lines', 'joining', 'returning'], 'readwrite', LASTING);
      const done = stored(transaction);
      try {
        const events = transaction.objectStore('events');
        for (const each of given) {
          const { table, rows, line, joins, origin } = each;
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
          if (origin) noteReturn(transaction, each);
          else if (joins) transaction.objectStore('joining').put({ table, body: joins });
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

  /** Return the games that belong to tables of the server. Rejects where nothing can be read. */
  async returning(): Promise<Returning[]> {
    return result((await this.#opened()).transaction('returning').objectStore('returning').getAll());
  }

  /**
   * Forget a game that the server has got up to an event, unless it went on here. Return whether it
   * is gone. Rejects where nothing can be stored.
   */
  async returned(table: string, number: number): Promise<boolean> {
    const transaction = (await this.#opened()).transaction(['events', 'lines', 'returning'], 'readwrite', LASTING);
    const done = stored(transaction);
    const events = transaction.objectStore('events');
    const later = await result(events.count(IDBKeyRange.bound([table, number + 1], [table, Infinity])));
    if (!later) {
      events.delete(IDBKeyRange.bound([table, 0], [table, Infinity]));
      for (const name of ['lines', 'returning']) transaction.objectStore(name).delete(table);
    }
    await done;
    return !later;
  }

  /** Keep a game that the server did not take back: it is a game of this device. Rejects where nothing can be stored. */
  async keep(table: string): Promise<void> {
    const transaction = (await this.#opened()).transaction(['joining', 'returning'], 'readwrite', LASTING);
    const done = stored(transaction);
    const entries = transaction.objectStore('returning');
    const entry = (await result(entries.get(table))) as Returning | undefined;
    if (entry) {
      entries.put({ ...entry, body: null, kept: true, joins: null });
      if (entry.joins) transaction.objectStore('joining').put({ table, body: entry.joins });
    }
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
