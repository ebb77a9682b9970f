/**
 * The connection of this page to a table: updates come in, commands go out. A broken connection is
 * replaced and brings the missing events. A command without an answer is sent again with the same
 * id, and the server executes it once (docs/protocol.md).
 */
import { announce, api, ApiError, DEVICE, leadToAccount } from './api';
import { lookAtLobby } from './lobbyNow.svelte';
import { language, t } from './messages.svelte';
import type { Look, Shown, Told, Update, View } from './protocol';
import { hashOf, noteCommitment, seedOf } from './diceSeeds';
import { GameTable, type Command, type Event } from './gameTable.svelte';

export type { Command, Event } from './gameTable.svelte';
export type Connection = 'connecting' | 'open' | 'lost' | 'ended';
interface Refusal {
  code: string;
  message: string;
  details: object;
  number?: number | null;
}

/** `any`: `WebSocket` itself is the `this` of its listeners, and its messages may be binary. */
type Listener<Given> = ((event: Given & any) => void) | null;
/** The part of `WebSocket` that a table uses. */
export interface Socket {
  readonly readyState: number;
  onopen: Listener<Event>;
  onmessage: Listener<{ data: string }>;
  onclose: Listener<{ code: number }>;
  send(text: string): void;
  close(): void;
}

export interface TableOptions {
  /** Whether the user came by the link to join. The server must know the user before the connection opens. */
  joins?: boolean;
  /** Opens a connection to a table on this device; without it the table is on the server. */
  onDevice?: (table: string) => Socket;
}

interface Waiting {
  command: Command;
  message: string;
  /** The position when the command was sent. */
  position: string | undefined;
  tries: number;
  done: (number: number) => void;
  refused: (error: ApiError) => void;
}

const SOON = 250;
const LATER = 5_000;
/** Milliseconds of silence after which the page sends a ping. */
const QUIET = 15_000;
const UNANSWERED = 5_000;
/** Milliseconds allowed for opening a connection. */
const OPENING = 10_000;
const TRIES = 20;
/** Close codes after which a new connection would fail, too. */
const FINAL = new Set([1003, 1007, 1009, 4400, 4401, 4403, 4404]);
const PASSING = new Set(['storage-down', 'storage-full', 'busy']);

const randomId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');

const openSocket = (table: string): Socket =>
  new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/tables/${table}`);

export class Table extends GameTable {
  readonly id: string;
  readonly key: string | undefined;
  connection = $state<Connection>('connecting');
  /** The code of the reason why no command can be executed at present, else empty. */
  trouble = $state('');
  /** Why the last connection was refused, until one is open. */
  hindrance = $state.raw<ApiError | null>(null);
  /** The reason why the connection has ended. */
  refusal = $state.raw<ApiError | null>(null);

  #since: number | null = null;
  #socket: Socket | null = null;
  #onDevice: TableOptions['onDevice'];
  #wait = SOON;
  #again: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  #returning = false;
  #sent = new Map<string, Waiting>();
  /** Numbers of the last events of commands that this page sent. */
  #ours = new Set<number>();
  #duties = new Set<string>();
  /** By turn the positions that were asked for. */
  #positions = new Map<number, Promise<Shown>>();
  #closed = false;

  constructor(id: string, key?: string, { joins = false, onDevice }: TableOptions = {}) {
    super();
    this.id = id;
    this.key = key;
    this.#onDevice = onDevice;
    if (joins) void api('/api/me').then(this.#connect, this.#connect);
    else this.#connect();
    addEventListener('online', this.#hurry);
    addEventListener('offline', this.#doubt);
    document.addEventListener('visibilitychange', this.#hurry);
  }

  /** Whether the table is on this device and needs no server. */
  get isOnDevice(): boolean {
    return this.#onDevice !== undefined;
  }

  /** The beginning of the addresses of requests about this table. */
  get address(): string {
    return `${this.isOnDevice ? DEVICE : ''}/api/tables/${this.id}`;
  }

  /** Return the address of the page of another table at the same place. */
  pageOf = (table: string): string => `${this.isOnDevice ? DEVICE : '/tables'}/${table}`;

  protected override positionAfter(turn: number): Promise<Shown> {
    const asked = this.#positions.get(turn) ?? api<Shown>(`${this.address}/turns/${turn}`, { key: this.key });
    this.#positions.set(turn, asked);
    asked.catch(() => this.#positions.delete(turn));
    return asked;
  }

  /** Close the connection. */
  override close(): void {
    super.close();
    this.#closed = true;
    removeEventListener('online', this.#hurry);
    removeEventListener('offline', this.#doubt);
    document.removeEventListener('visibilitychange', this.#hurry);
    clearTimeout(this.#again);
    clearTimeout(this.#watchdog);
    this.#socket?.close();
  }

  /**
   * Send a command and return the number of its last event. Throws `ApiError` where the command was
   * refused.
   */
  send(command: Command): Promise<number> {
    if (this.connection === 'ended') return Promise.reject(this.refusal ?? new ApiError(t('ui_table_gone'), 'no-such-table', 404));
    return new Promise<number>((done, refused) => {
      const position = this.view?.position;
      this.#dispatch({ command, message: '', position, tries: 0, done, refused });
    });
  }

  /**
   * Return whether events come from a command of this page, not of another page of the same person.
   */
  isOurs = (events: readonly Event[]): boolean => this.#sent.size > 0 || events.some(({ number }) => this.#ours.has(number));

  /** Request the view anew, for changes that only time brings. */
  async refresh(): Promise<void> {
    const { view } = await api<Look>(this.address, { key: this.key });
    if (this.view && view.number === this.view.number && `${view.you}` === `${this.view.you}`) this.#stands([], view);
  }

  // --- The connection ---------------------------------------------------------------------------

  #connect = (): void => {
    if (this.#closed || this.#socket) return;
    const socket = this.#onDevice?.(this.id) ?? openSocket(this.id);
    this.#socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'hello', since: this.#since, key: this.key ?? null, language: language() }));
      for (const { message } of this.#sent.values()) socket.send(message);
      this.#watch(QUIET, this.#doubt);
    };
    socket.onmessage = (event) => this.#heard(JSON.parse(event.data as string) as { type: string });
    socket.onclose = ({ code }: { code: number }) => this.#lost(code);
    this.#watch(OPENING, this.#abandon);
  };

  /** Give up a connection that may be broken without having noticed. */
  #abandon = (): void => {
    const socket = this.#socket;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.#lost(1006);
  };

  #lost(code: number): void {
    clearTimeout(this.#watchdog);
    this.#socket = null;
    if (this.#closed) return;
    if (FINAL.has(code)) {
      this.#end(this.hindrance ?? new ApiError(t('ui_table_gone'), 'no-such-table', 404));
      return;
    }
    if (this.view === null && !this.isOnDevice) void this.#whyNot();
    this.#returning = this.view !== null;
    this.connection = 'lost';
    clearTimeout(this.#again);
    this.#again = setTimeout(this.#connect, this.#wait * (0.5 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, LATER);
  }

  /** Request the reason of a refused handshake, which the browser hides from pages. */
  async #whyNot(): Promise<void> {
    try {
      await api<Look>(this.address, { key: this.key });
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.code === 'banned') && this.view === null && !this.#closed) this.#end(error);
    }
  }

  #end(refusal: ApiError): void {
    clearTimeout(this.#again);
    clearTimeout(this.#watchdog);
    this.connection = 'ended';
    this.refusal = refusal;
    for (const { refused } of this.#sent.values()) refused(refusal);
    this.#sent.clear();
  }

  /**
   * Reconnect at once, or check the connection: the network is back, or the page is visible again.
   */
  #hurry = (): void => {
    if (document.hidden || this.#closed || this.connection === 'ended') return;
    if (this.#socket === null) {
      clearTimeout(this.#again);
      this.#connect();
    } else {
      this.#doubt();
    }
  };

  /** Check a connection by a ping. */
  #doubt = (): void => {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send('{"type":"ping"}');
    this.#watch(UNANSWERED, this.#abandon);
  };

  /** Call a function unless a message arrives before. */
  #watch(after: number, then: () => void): void {
    clearTimeout(this.#watchdog);
    if (!this.isOnDevice) this.#watchdog = setTimeout(then, after); // a computer may think longer
  }

  // --- Commands ---------------------------------------------------------------------------------

  /** Send a command for the version of the current view. */
  #dispatch(waiting: Waiting): void {
    const id = randomId();
    waiting.message = JSON.stringify({ type: 'command', id, version: this.view?.number ?? 0, command: waiting.command });
    this.#sent.set(id, waiting);
    this.#pass(waiting.message);
  }

  #pass(message: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(message);
  }

  #answered(id: string | null): Waiting | undefined {
    const waiting = id === null ? undefined : this.#sent.get(id);
    if (id !== null) this.#sent.delete(id);
    return waiting;
  }

  #refused(id: string | null, error: Refusal): void {
    const refusal = new ApiError(error.message, error.code, 0, { ...error.details });
    leadToAccount(error.code);
    const waiting = id === null ? undefined : this.#sent.get(id);
    if (id === null) {
      this.hindrance = refusal; // the close code decides whether the connection ends
    } else if (!waiting) {
      return;
    } else if (PASSING.has(error.code) && waiting.tries++ < TRIES) {
      setTimeout(() => this.#sent.has(id) && this.#pass(waiting.message), LATER / 2);
    } else {
      this.#answered(id);
      if (error.code === 'stale-version') this.#outdated(waiting, refusal, error.number ?? 0);
      else waiting.refused(refusal);
    }
  }

  /**
   * Handle a command for an outdated version. It is sent again where the position is unchanged, and
   * else refused.
   */
  #outdated(waiting: Waiting, refusal: ApiError, number: number): void {
    if ((this.view?.number ?? 0) < number && this.connection !== 'ended') {
      const stop = this.follow(() => {
        stop();
        this.#outdated(waiting, refusal, number);
      });
    } else if (waiting.position === this.view?.position && waiting.tries++ < TRIES) {
      this.#dispatch(waiting);
    } else {
      waiting.refused(refusal);
    }
  }

  // --- Messages ---------------------------------------------------------------------------------

  #heard(message: { type: string }): void {
    this.#watch(QUIET, this.#doubt);
    if (message.type === 'update') {
      this.#updated(message as Update);
    } else if (message.type === 'done') {
      const { id, number } = message as unknown as { id: string; number: number };
      this.#ours.add(number);
      this.#answered(id)?.done(number);
    } else if (message.type === 'refused') {
      const { id, error } = message as unknown as { id: string | null; error: Refusal };
      this.#refused(id, error);
    } else if (message.type === 'announcement') {
      announce(String((message as Told).number));
    } else if (message.type === 'invited') {
      void lookAtLobby(true);
    }
  }

  #updated(update: Update): void {
    this.connection = 'open';
    this.trouble = update.trouble ?? '';
    if (!update.view) return;
    this.#wait = SOON;
    this.hindrance = null;
    this.#since = update.number;
    this.#stands(update.events, { ...this.view, ...update.view } as View);
  }

  #stands(events: Event[], view: View): void {
    const returned = this.#returning;
    this.#returning = false;
    this.#positions.clear(); // an entry may have been taken back
    this.adopt(events, view, returned);
    if (view.fairness?.secret === null && view.you.length) noteCommitment(this.id, view.fairness.commitment);
    this.#sendSeeds(view);
  }

  /** Send the seeds that the table waits for, one after the other, without asking the user. */
  #sendSeeds({ demand, you, may, fairness }: View): void {
    const kind = may.includes('reveal-seed') ? 'reveal-seed' : may.includes('commit-seed') ? 'commit-seed' : null;
    if (!kind) return;
    for (const seat of you) {
      const given = fairness?.seats[seat];
      const asked = kind === 'commit-seed' ? given?.hash === null && given.seed === null : demand.seats.includes(seat) && given?.seed === null;
      const duty = `${kind} ${seat}`;
      if (!asked || this.#duties.has(duty)) continue;
      this.#duties.add(duty);
      this.#contribute(kind, seat, given?.hash ?? null).catch(() => this.#duties.delete(duty)); // the next update triggers it again
      return;
    }
  }

  /** Commit to the seed of a seat, or reveal it; `committed` is its hash, if the table has it. */
  async #contribute(type: 'commit-seed' | 'reveal-seed', seat: number, committed: string | null): Promise<void> {
    const seed = seedOf(this.id, seat);
    const hash = await hashOf(seed);
    if (type === 'commit-seed') await this.send({ type, hash, seat });
    else if (hash === committed) await this.send({ type, seed, seat });
    else if (this.view) this.#sendSeeds(this.view); // another device made the commitment and reveals the seed
  }
}
