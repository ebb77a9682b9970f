/**
 * The connection of this page to a tournament: the server says that it has changed, and the page
 * asks for the view. A broken connection is replaced (docs/protocol.md).
 */
import { say } from '../lib/announcer.svelte';
import { api, ApiError, leadToAccount, sentence } from '../lib/api';
import { language, t } from '../lib/messages.svelte';
import { notice } from '../lib/notices.svelte';
import type {
  OwnTournament,
  Refused,
  SeenTournament,
  SendToTournament,
  TournamentChanged,
  TournamentSent,
  TournamentView,
} from '../lib/protocol';

export type TournamentCommand = SendToTournament['command'];
type Message = TournamentChanged | Refused | { type: 'pong' | 'announcement' };

const SOON = 250;
const LATER = 5_000;
/** Milliseconds of silence after which the page sends a ping, and in which an answer has to come. */
const QUIET = 15_000;
/** Close codes after which a new connection would fail, too. */
const FINAL = new Set([1003, 4400, 4401, 4403, 4404]);

const randomId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');

export class Tournament {
  seen = $state.raw<SeenTournament | null>(null);
  /** Whether the connection is lost, so that what is shown may be outdated. */
  lost = $state(false);
  /** Why the tournament cannot be shown; empty where it can. */
  refusal = $state('');

  #socket: WebSocket | null = null;
  #wait = SOON;
  #again: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  #loading: Promise<void> | null = null;
  #stale = false;
  #closed = false;

  constructor(readonly id: string) {
    void this.#connect();
    addEventListener('online', this.#hurry);
    document.addEventListener('visibilitychange', this.#hurry);
  }

  get view(): TournamentView | null {
    return this.seen?.view ?? null;
  }

  get you(): OwnTournament | null {
    return this.seen?.you ?? null;
  }

  get address(): string {
    return `/api/tournaments/${this.id}`;
  }

  /** Return whether the person of this page may send a command of this type now. */
  may = (type: NonNullable<TournamentCommand['type']>): boolean => this.seen?.you.may.includes(type) ?? false;

  /** Return the name of an entrant. */
  nameOf = (entrant: number): string => this.view?.entrants[entrant - 1]?.name ?? '?';

  close(): void {
    this.#closed = true;
    removeEventListener('online', this.#hurry);
    document.removeEventListener('visibilitychange', this.#hurry);
    clearTimeout(this.#again);
    clearTimeout(this.#watchdog);
    this.#socket?.close();
  }

  /** Send a command, and show and announce why it was refused. Return whether it was accepted. */
  async send(command: TournamentCommand): Promise<boolean> {
    const body = { id: randomId(), version: this.view?.number ?? 0, command };
    let refused: unknown = null;
    for (let tries = 2; tries; tries -= 1) {
      try {
        await api<TournamentSent>(`${this.address}/commands`, { body }); // again with the same id: the server handles it once
        refused = null;
        break;
      } catch (error) {
        refused = error;
        if (!(error instanceof ApiError && error.status === 0)) break;
      }
    }
    if (refused) notice(refused instanceof ApiError && refused.code === 'stale-version' ? t('ui_tournament_changed') : sentence(refused), { bad: true });
    await this.load();
    return !refused;
  }

  /** Ask for the view. A request during another one is answered after it. */
  async load(): Promise<void> {
    this.#stale = true;
    this.#loading ??= this.#loadAll().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #loadAll(): Promise<void> {
    while (this.#stale && !this.#closed) {
      this.#stale = false;
      try {
        this.seen = await api<SeenTournament>(this.address);
        this.refusal = '';
      } catch (error) {
        if (!this.seen) say((this.refusal = sentence(error)));
        else this.lost = true;
      }
    }
  }

  async #connect(): Promise<void> {
    if (!this.seen) {
      await api('/api/me').catch(() => undefined); // a new browser gets its cookie
      await this.load();
    }
    if (this.#closed || this.#socket) return;
    const opened = (this.#socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/tournaments/${this.id}`));
    opened.onopen = () => opened.send(JSON.stringify({ type: 'hello', language: language() }));
    opened.onmessage = ({ data }) => this.#heard(JSON.parse(data as string) as Message);
    opened.onclose = ({ code }) => {
      clearTimeout(this.#watchdog);
      if (this.#closed || this.#socket !== opened) return;
      this.#socket = null;
      if (FINAL.has(code)) return;
      this.lost = true;
      this.#again = setTimeout(() => void this.#connect(), this.#wait * (0.5 + Math.random() / 2));
      this.#wait = Math.min(2 * this.#wait, LATER);
    };
    this.#watch();
  }

  #heard(message: Message): void {
    this.#watch();
    if (message.type === 'refused') {
      leadToAccount(message.error.code);
      if (!this.seen) this.refusal = message.error.message;
    }
    if (message.type !== 'tournament') return;
    this.#wait = SOON;
    this.lost = false;
    const { seen } = this;
    if (seen?.view.number === message.number) this.seen = { ...seen, you: message.you };
    else void this.load();
  }

  /** Ping a silent connection, and replace it if no answer comes. */
  #watch(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => {
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send('{"type":"ping"}');
      this.#watchdog = setTimeout(() => this.#replace(), QUIET);
    }, QUIET);
  }

  #replace(): void {
    const silent = this.#socket;
    this.#socket = null;
    this.lost = true;
    silent?.close();
    void this.#connect();
  }

  #hurry = (): void => {
    if (document.hidden || this.#closed) return;
    if (!this.#socket) {
      clearTimeout(this.#again);
      void this.#connect();
    } else void this.load();
  };
}
