/**
 * The connection of this page to the lobby: how many people are there, open tables, and the own
 * request for an opponent. It is open while a person looks at the lobby or seeks, on any page; a
 * broken connection is replaced (docs/protocol.md).
 */
import { mount, unmount } from 'svelte';
import { say } from '../lib/announcer.svelte';
import { announce, api, ApiError } from '../lib/api';
import { language, t } from '../lib/messages.svelte';
import { notice } from '../lib/notices.svelte';
import type { ListedTable, Lobby, LobbyInvitations, OwnSeek, Refused, SeekOpponent, SeekState, Told } from '../lib/protocol';
import { go, route } from '../lib/router.svelte';
import { settings } from '../lib/settings.svelte';
import { heard as showInvitations } from './invitations.svelte';
import { forgetRequest, keepRequest, keptRequest, LATE } from './request';
import SeekBar from './SeekBar.svelte';

type Message = Lobby | SeekState | LobbyInvitations | Refused | Told | { type: 'pong' };
type Clock = SeekOpponent['clock'];

const SOON = 250;
const LATER = 5_000;
/**
 * Milliseconds of silence after which a page with a request sends a ping, and in which an answer has
 * to come. Who only looks sends none: with many people in the lobby pings would be most messages.
 */
const QUIET = 20_000;
/** Close codes after which a new connection would fail, too. */
const FINAL = new Set([1003, 4400, 4401, 4403]);
/** Milliseconds before a lost connection is shown. */
const PATIENCE = 1_200;

let people = $state(0);
let tables = $state.raw<readonly ListedTable[]>([]);
let seek = $state.raw<OwnSeek | null>(null);
let isOpen = $state(false);
let isLost = $state(false);
let refusal = $state('');
let socket: WebSocket | null = null;
let lookers = 0;
let wait = SOON;
/** When the server was heard last, in milliseconds since 1970. */
let heardAt = 0;
let again: ReturnType<typeof setTimeout> | undefined;
let watchdog: ReturnType<typeof setTimeout> | undefined;
let patience: ReturnType<typeof setTimeout> | undefined;
/** The id of the request that was cancelled last, and whether the server has yet to be told. */
let cancelled = '';
let isCancelPending = false;
let isConnecting = false;
let bar: Record<string, unknown> | null = null;

export const peopleHere = (): number => people;
export const openTables = (): readonly ListedTable[] => tables;
/** Return the own request, `null` where nobody is sought. */
export const ownSeek = (): OwnSeek | null => seek;
/** Return whether the list of tables is up to date. */
export const isConnected = (): boolean => isOpen;
/** Return whether there has been no connection for a while. */
export const isDisconnected = (): boolean => isLost;
/** Return the sentence why this person may not be in the lobby, empty if there is none. */
export const refusedBecause = (): string => refusal;

/** Look at the lobby until the returned function is called. */
export function look(): () => void {
  lookers += 1;
  void connect();
  return () => {
    lookers -= 1;
    release();
  };
}

/** Look for an opponent. The request holds on every page, until it is cancelled or two are paired. */
export function seekOpponent(game: string, clock: Clock, name: string, rated: boolean): void {
  keepRequest({ type: 'seek', id: crypto.getRandomValues(new Uint32Array(4)).join('-'), game, clock: clock ?? null, rated, name });
  isCancelPending = false;
  say(t('ui_lobby_seeking'));
  goOn();
}

/** Go on with the request of before the page was loaded. */
export function goOn(): void {
  if (!keptRequest()) return; // it is too old
  heardAt = Date.now();
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(keptRequest()));
  else void connect();
  bar ??= mount(SeekBar, { target: document.body });
}

export function cancelSeek(): void {
  stop();
  say(t('ui_lobby_cancelled'));
}

function stop(): void {
  cancelled = keptRequest()?.id ?? '';
  sendCancel();
  over();
}

/** Send it now, or as soon as there is a connection. */
function sendCancel(): void {
  isCancelPending = socket?.readyState !== WebSocket.OPEN;
  if (!isCancelPending) socket?.send('{"type":"cancel"}');
}

const isNeeded = (): boolean => lookers > 0 || keptRequest() !== null || isCancelPending;

/** Forget the request, and close the connection that nobody needs any more. */
function over(): void {
  forgetRequest();
  seek = null;
  if (bar) void unmount(bar);
  bar = null;
  release();
}

function release(): void {
  if (isNeeded()) return;
  clearTimeout(again);
  showLost(false);
  clearTimeout(watchdog);
  const closed = socket;
  socket = null;
  isOpen = false;
  closed?.close();
}

/** Show that the connection is lost, if it is not back soon. */
function showLost(lost: boolean): void {
  if (!lost) {
    clearTimeout(patience);
    patience = undefined;
    isLost = false;
  } else {
    patience ??= setTimeout(() => (isLost = true), PATIENCE);
  }
}

async function connect(): Promise<void> {
  if (socket || isConnecting) return;
  isConnecting = true;
  showLost(true);
  await introduce();
  isConnecting = false;
  if (!isNeeded() || refusal) return release();
  const opened = (socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/lobby`));
  opened.onopen = () => {
    watch();
    tables = [];
    opened.send(JSON.stringify({ type: 'hello', language: language() }));
    const request = keptRequest();
    if (request) opened.send(JSON.stringify(request));
    else if (isCancelPending) sendCancel();
    release();
  };
  opened.onmessage = ({ data }) => {
    if (socket !== opened) return;
    watch();
    heard(JSON.parse(data as string) as Message);
  };
  opened.onclose = ({ code }) => lost(opened, code);
}

/** Replace a connection, unless this page has closed it or the user is refused. */
function lost(closed: WebSocket, code: number): void {
  if (socket !== closed) return;
  clearTimeout(watchdog);
  socket = null;
  isOpen = false;
  if (FINAL.has(code)) {
    end();
    return void introduce();
  }
  showLost(true);
  clearTimeout(again);
  again = setTimeout(() => void connect(), wait * (0.5 + Math.random() / 2));
  wait = Math.min(2 * wait, LATER);
}

/**
 * Let a new browser get its cookie, and find out about a ban: browsers hide from pages why a
 * handshake was refused.
 */
async function introduce(): Promise<void> {
  try {
    await api('/api/me');
    refusal = '';
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'banned') return;
    if (keptRequest()) notice(error.message, { bad: true });
    refusal = error.message;
    end();
  }
}

/** Give up: no connection is possible. */
function end(): void {
  isCancelPending = false;
  clearTimeout(again);
  showLost(false);
  over();
}

/** Ping a silent connection while an opponent is sought, and replace it if no answer comes. */
function watch(): void {
  heardAt = Date.now();
  clearTimeout(watchdog);
  watchdog = setTimeout(() => {
    if (!keptRequest()) return watch();
    socket?.send('{"type":"ping"}');
    watchdog = setTimeout(abandon, QUIET);
  }, QUIET);
}

/** Replace a connection that may be broken without having noticed. */
function abandon(): void {
  const broken = socket;
  if (!broken) return;
  lost(broken, 1006);
  broken.close();
}

// A page that was frozen does not look for an opponent again by itself.
document.addEventListener('visibilitychange', () => {
  if (document.hidden || !keptRequest() || Date.now() < heardAt + LATE) return;
  stop();
  notice(t('ui_lobby_cancelled'));
});

// Without a network a broken connection may be noticed only after minutes.
addEventListener('offline', abandon);
addEventListener('online', () => {
  clearTimeout(again);
  if (isNeeded()) void connect();
});

function heard(message: Message): void {
  wait = SOON;
  if (message.type === 'lobby') {
    const known = tables.filter(({ table }) => !message.gone.includes(table) && !message.tables.some((each) => each.table === table));
    tables = [...message.tables, ...known].sort((one, other) => other.created - one.created);
    people = message.people;
    isOpen = true;
    showLost(false);
  } else if (message.type === 'invitations') {
    showInvitations(message.invitations);
  } else if (message.type === 'seek') {
    changed(message);
  } else if (message.type === 'announcement') {
    announce(String(message.number));
  } else if (message.type === 'refused') {
    notice(message.error.message, { bad: true });
    if (message.id !== null && message.id === keptRequest()?.id) over();
  }
}

/** Follow the state of the own request: to the table of the pair, and back where the other did not come. */
function changed({ seek: newer, code }: SeekState): void {
  const before = seek;
  const request = keptRequest();
  if (newer && !request) {
    if (newer.id === cancelled) sendCancel(); // the connection broke before the server heard it
    return; // another page of this person seeks
  }
  if (newer && newer.id !== request?.id) {
    const { id, game, clock, rated } = newer; // of another page: a person has one request
    keepRequest({ type: 'seek', id, game, clock, rated, name: request?.name ?? settings.name });
  }
  seek = newer;
  if (code && before?.table) notice(t(code === 'opponent-left' ? 'ui_lobby_opponent_left' : 'ui_lobby_seat_missed'));
  if (before?.table && !newer?.table && code && route().path === `/tables/${before.table}`) go('/');
  if (!newer) {
    if (before && !before.table && !code) notice(t('ui_lobby_cancelled')); // on another page, or by sitting down with people
    return over();
  }
  if (!newer.table || newer.table === before?.table) return;
  go(`/tables/${newer.table}`);
  say(t('ui_lobby_found'));
  socket?.send(JSON.stringify({ type: 'arrive', table: newer.table }));
}
