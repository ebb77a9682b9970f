/**
 * A table as this page follows it: updates come in, commands go out. A connection that breaks is made anew with the gap, and a
 * command that has no answer is sent once more, which does it once (docs/protocol.md).
 */
import { api, ApiError } from './api';
import { language, t } from './messages.svelte';
import type { Look, Update, View } from './protocol';
import { hashOf, notePromise, seedOf } from './diceSeeds';

export type Event = Update['events'][number];
export type Command = { type: string; seat?: number | null } & Record<string, unknown>;
export type Connection = 'connecting' | 'open' | 'lost' | 'ended';
/** `returned`: the update is the first after a connection that was lost, and brings the gap. */
export type Follower = (events: Event[], view: View, before: View | null, returned: boolean) => void;
interface Refusal {
  code: string;
  message: string;
  details: object;
  number?: number | null;
}

interface Waiting {
  command: Command;
  message: string;
  /** How the game stood for whoever sent it. */
  position: string | undefined;
  tries: number;
  done: (number: number) => void;
  refused: (error: ApiError) => void;
}

const SOON = 250;
const LATER = 5_000;
/** Milliseconds without a word after which we ask whether anybody is there. */
const QUIET = 15_000;
const UNANSWERED = 5_000;
/** Milliseconds that a connection may take to come about. */
const OPENING = 10_000;
const TRIES = 20;
/** Close codes after which coming back would bring the same. */
const FINAL = new Set([1003, 1007, 1009, 4400, 4404]);
const PASSING = new Set(['storage-down', 'storage-full', 'busy']);

const randomId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');

export class Table {
  readonly id: string;
  readonly key: string | undefined;
  /** How the table stands; null until the first update. */
  view = $state.raw<View | null>(null);
  connection = $state<Connection>('connecting');
  /** For now the server can do nothing. */
  trouble = $state(false);
  /** Why there is nothing to see here; then the connection has ended. */
  refusal = $state.raw<ApiError | null>(null);
  /** Seconds by which the server's clock is ahead of ours. */
  ahead = 0;

  #since: number | null = null;
  #socket: WebSocket | null = null;
  #wait = SOON;
  #again: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  #returning = false;
  #told: ApiError | null = null;
  #sent = new Map<string, Waiting>();
  /** Numbers of the last events that commands of this page made. */
  #ours = new Set<number>();
  #followers = new Set<Follower>();
  #duties = new Set<string>();
  #closed = false;

  /** `joins`: whoever comes may want to sit down, for which the server has to know them before the connection begins. */
  constructor(id: string, key?: string, { joins = false } = {}) {
    this.id = id;
    this.key = key;
    if (joins) void api('/api/me').then(this.#connect, this.#connect);
    else this.#connect();
    addEventListener('online', this.#hurry);
    addEventListener('offline', this.#doubt);
    document.addEventListener('visibilitychange', this.#hurry);
  }

  /** Leaves. */
  close(): void {
    this.#closed = true;
    removeEventListener('online', this.#hurry);
    removeEventListener('offline', this.#doubt);
    document.removeEventListener('visibilitychange', this.#hurry);
    clearTimeout(this.#again);
    clearTimeout(this.#watchdog);
    this.#socket?.close();
  }

  /** Called after every update, with the events since the last one; the answer takes it back. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Does it once, and answers with its number. Throws `ApiError`; then nothing was done. */
  send(command: Command): Promise<number> {
    if (this.connection === 'ended') return Promise.reject(this.refusal ?? new ApiError(t('ui_table_gone'), 'no-such-table', 404));
    return new Promise<number>((done, refused) => {
      const position = this.view?.position;
      this.#dispatch({ command, message: '', position, tries: 0, done, refused });
    });
  }

  /** Whether these events came of a command of this page, rather than of another one of the same person's. */
  isOurs = (events: readonly Event[]): boolean => this.#sent.size > 0 || events.some(({ number }) => this.#ours.has(number));

  /** Asks how the table stands now: for what time alone has changed. */
  async refresh(): Promise<void> {
    const { view } = await api<Look>(`/api/tables/${this.id}`, { key: this.key });
    if (this.view && view.number === this.view.number && `${view.you}` === `${this.view.you}`) this.#stands([], view);
  }

  /** Now, in seconds since 1970, by the server's clock. */
  now = (): number => Date.now() / 1000 + this.ahead;

  // --- The connection --------------------------------------------------------------------------------------------------------

  #connect = (): void => {
    if (this.#closed || this.#socket) return;
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/tables/${this.id}`);
    this.#socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'hello', since: this.#since, key: this.key ?? null, language: language() }));
      for (const { message } of this.#sent.values()) socket.send(message);
      this.#watch(QUIET, this.#doubt);
    };
    socket.onmessage = (event) => this.#heard(JSON.parse(event.data as string) as { type: string });
    socket.onclose = ({ code }) => this.#lost(code);
    this.#watch(OPENING, this.#abandon);
  };

  /** Nothing more is expected of this connection, which may not know yet that it is broken. */
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
      this.#end(this.#told ?? new ApiError(t('ui_table_gone'), 'no-such-table', 404));
      return;
    }
    if (this.view === null) void this.#whyNot();
    this.#returning = this.view !== null;
    this.connection = 'lost';
    clearTimeout(this.#again);
    this.#again = setTimeout(this.#connect, this.#wait * (0.5 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, LATER);
  }

  /** A handshake that is refused says nothing to pages: a request does. */
  async #whyNot(): Promise<void> {
    try {
      await api<Look>(`/api/tables/${this.id}`, { key: this.key });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404 && this.view === null && !this.#closed) this.#end(error);
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

  /** The network is back, or somebody looks at the page again: no reason to wait. */
  #hurry = (): void => {
    if (document.hidden || this.#closed || this.connection === 'ended') return;
    if (this.#socket === null) {
      clearTimeout(this.#again);
      this.#connect();
    } else {
      this.#doubt();
    }
  };

  /** A connection that died without a word is noticed and made anew. */
  #doubt = (): void => {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send('{"type":"ping"}');
    this.#watch(UNANSWERED, this.#abandon);
  };

  /** Does it unless something is heard before. */
  #watch(after: number, then: () => void): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(then, after);
  }

  // --- Commands --------------------------------------------------------------------------------------------------------------

  /** Sends it for the version that is seen now. */
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
    const waiting = id === null ? undefined : this.#sent.get(id);
    if (id === null) {
      this.#told = refusal; // the close code says whether that was the end
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

  /** Something else happened first. What was decided on a game that stands as it stood still holds; else it is for people to see. */
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

  // --- Messages --------------------------------------------------------------------------------------------------------------

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
    }
  }

  #updated(update: Update): void {
    this.connection = 'open';
    this.trouble = update.trouble !== '';
    if (!update.view) return;
    this.#wait = SOON;
    this.#told = null;
    this.#since = update.number;
    this.#stands(update.events, { ...this.view, ...update.view } as View);
  }

  #stands(events: Event[], view: View): void {
    const before = this.view;
    const returned = this.#returning;
    this.#returning = false;
    this.ahead = view.now - Date.now() / 1000;
    this.view = view;
    for (const follower of [...this.#followers]) {
      try {
        follower(events, view, before, returned);
      } catch (error) {
        reportError(error); // what one of them cannot do must not keep the others from it
      }
    }
    if (view.fairness?.secret === null && view.you.length) notePromise(this.id, view.fairness.commitment);
    this.#do(view);
  }

  /** What the table wants of this device without asking the person: its seeds of fair dice, one after the other. */
  #do({ demand, you, may, fairness }: View): void {
    const kind = may.includes('reveal-seed') ? 'reveal-seed' : may.includes('commit-seed') ? 'commit-seed' : null;
    if (!kind) return;
    for (const seat of you) {
      const given = fairness?.seats[seat];
      const asked = kind === 'commit-seed' ? given?.hash === null && given.seed === null : demand.seats.includes(seat) && given?.seed === null;
      const duty = `${kind} ${seat}`;
      if (!asked || this.#duties.has(duty)) continue;
      const seed = seedOf(this.id, seat);
      if (kind === 'reveal-seed' && hashOf(seed) !== given?.hash) continue; // another device promised: it reveals
      this.#duties.add(duty);
      this.send(kind === 'commit-seed' ? { type: kind, hash: hashOf(seed), seat } : { type: kind, seed, seat }).catch(() =>
        this.#duties.delete(duty), // the next update asks again where it is still wanted
      );
      return;
    }
  }
}
