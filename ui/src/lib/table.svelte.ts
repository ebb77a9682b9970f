/**
 * A table as this page follows it: updates come in, commands go out. A connection that breaks is made anew with the gap, and a
 * command that has no answer is sent once more, which does it once (docs/protocol.md).
 */
import { ApiError } from './api';
import { language, t } from './messages.svelte';
import type { Update, View } from './protocol';
import { forget, hashOf, seedOf } from './seeds';

export type Event = Update['events'][number];
export type Command = { type: string; seat?: number | null } & Record<string, unknown>;
export type Connection = 'connecting' | 'open' | 'lost' | 'ended';
type Follower = (events: Event[], view: View, before: View | null) => void;

interface Waiting {
  message: string;
  done: (number: number) => void;
  refused: (error: ApiError) => void;
}

const SOON = 250;
const LATER = 5_000;
/** Milliseconds without a word after which we ask whether anybody is there. */
const QUIET = 15_000;
const UNANSWERED = 5_000;
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
  #sent = new Map<string, Waiting>();
  #followers = new Set<Follower>();
  #duties = new Set<string>();
  #closed = false;

  constructor(id: string, key?: string) {
    this.id = id;
    this.key = key;
    this.#connect();
    addEventListener('online', this.#hurry);
    document.addEventListener('visibilitychange', this.#hurry);
  }

  /** Leaves. */
  close(): void {
    this.#closed = true;
    removeEventListener('online', this.#hurry);
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
    const id = randomId();
    const message = JSON.stringify({ type: 'command', id, version: this.view?.number ?? 0, command });
    return new Promise<number>((done, refused) => {
      this.#sent.set(id, { message, done, refused });
      this.#pass(message);
    }).finally(() => this.#sent.delete(id));
  }

  // --- The connection --------------------------------------------------------------------------------------------------------

  #connect = (): void => {
    if (this.#closed) return;
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/tables/${this.id}`);
    this.#socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'hello', since: this.#since, key: this.key ?? null, language: language() }));
      for (const { message } of this.#sent.values()) socket.send(message);
      this.#listen();
    };
    socket.onmessage = (event) => this.#heard(JSON.parse(event.data as string) as { type: string });
    socket.onclose = ({ code }) => socket === this.#socket && this.#lost(code);
  };

  #lost(code: number): void {
    clearTimeout(this.#watchdog);
    this.#socket = null;
    if (this.#closed) return;
    if (FINAL.has(code)) {
      this.connection = 'ended';
      this.refusal ??= new ApiError(t('ui_table_gone'), 'no-such-table', 404);
      for (const { refused } of this.#sent.values()) refused(this.refusal);
      return;
    }
    this.connection = 'lost';
    this.#again = setTimeout(this.#connect, this.#wait * (0.5 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, LATER);
  }

  /** The network is back, or somebody looks at the page again: no reason to wait. */
  #hurry = (): void => {
    if (document.hidden || this.#closed) return;
    if (this.#socket === null && this.connection !== 'ended') {
      clearTimeout(this.#again);
      this.#connect();
    } else if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#ask();
    }
  };

  /** A connection that died without a word is noticed and made anew. */
  #listen(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#ask(), QUIET);
  }

  #ask(): void {
    const socket = this.#socket;
    this.#pass('{"type":"ping"}');
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => {
      if (socket !== this.#socket || socket === null) return;
      socket.onclose = null;
      socket.close();
      this.#lost(1006);
    }, UNANSWERED);
  }

  #pass(message: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(message);
  }

  // --- Messages --------------------------------------------------------------------------------------------------------------

  #heard(message: { type: string }): void {
    this.#wait = SOON;
    this.#listen();
    if (message.type === 'update') {
      this.#updated(message as Update);
    } else if (message.type === 'done') {
      const { id, number } = message as unknown as { id: string; number: number };
      this.#sent.get(id)?.done(number);
    } else if (message.type === 'refused') {
      this.#refused(message as unknown as { id: string | null; error: { code: string; message: string; details: object } });
    }
  }

  #updated(update: Update): void {
    this.connection = 'open';
    this.trouble = update.trouble !== '';
    if (!update.view) return;
    const before = this.view;
    this.#since = update.number;
    this.ahead = update.view.now - Date.now() / 1000;
    this.view = update.view;
    for (const follower of this.#followers) follower(update.events, update.view, before);
    this.#do(update.view);
  }

  #refused({ id, error }: { id: string | null; error: { code: string; message: string; details: object } }): void {
    const refusal = new ApiError(error.message, error.code, 0, { ...error.details });
    const waiting = id === null ? undefined : this.#sent.get(id);
    if (id === null) this.refusal = refusal;
    else if (waiting && PASSING.has(error.code)) setTimeout(() => this.#pass(waiting.message), LATER / 2);
    else waiting?.refused(refusal);
  }

  /** What the table wants of this device without asking the person: its seeds of fair dice. */
  #do({ demand, you, may, fairness }: View): void {
    const kind = may.includes('commit-seed') ? 'commit-seed' : may.includes('reveal-seed') ? 'reveal-seed' : null;
    if (!kind) return;
    for (const seat of you) {
      const given = fairness?.seats[seat];
      const asked = kind === 'commit-seed' ? given?.hash === null : demand.seats.includes(seat) && given?.seed === null;
      const duty = `${kind} ${seat}`;
      if (!asked || this.#duties.has(duty)) continue;
      this.#duties.add(duty);
      const seed = seedOf(this.id, seat);
      const sent = this.send(kind === 'commit-seed' ? { type: kind, hash: hashOf(seed), seat } : { type: kind, seed, seat });
      sent.then(
        () => kind === 'reveal-seed' && forget(this.id, seat),
        () => this.#duties.delete(duty), // somebody else was faster: the next update asks again where it is still wanted
      );
    }
  }
}
