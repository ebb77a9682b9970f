/**
 * The connection of this page to the lobby: how many people are there, open tables, and the own
 * request for an opponent. It is open while a person looks at the lobby or seeks, on any page; a
 * broken connection is replaced (docs/protocol.md).
 */
import { mount, unmount } from 'svelte';
import { say } from '../lib/announcer.svelte';
import { api } from '../lib/api';
import { language, t } from '../lib/messages.svelte';
import { notice } from '../lib/notices.svelte';
import type { ListedTable, Lobby, LobbyInvitations, OwnSeek, Refused, SeekOpponent, SeekState } from '../lib/protocol';
import { go, route } from '../lib/router.svelte';
import { heard as showInvitations } from './invitations.svelte';
import { forgetRequest, keepRequest, keptRequest } from './request';
import SeekBar from './SeekBar.svelte';

type Message = Lobby | SeekState | LobbyInvitations | Refused | { type: 'pong' | 'announcement' };
type Clock = SeekOpponent['clock'];

const SOON = 250;
const LATER = 5_000;
/** Close codes after which a new connection would fail, too. */
const FINAL = new Set([1003, 4400, 4401, 4403]);

let people = $state(0);
let tables = $state.raw<readonly ListedTable[]>([]);
let seek = $state.raw<OwnSeek | null>(null);
let isOpen = $state(false);
let socket: WebSocket | null = null;
let lookers = 0;
let wait = SOON;
let again: ReturnType<typeof setTimeout> | undefined;
let isConnecting = false;
let bar: Record<string, unknown> | null = null;

export const peopleHere = (): number => people;
export const openTables = (): readonly ListedTable[] => tables;
/** Return the own request, `null` where nobody is sought. */
export const ownSeek = (): OwnSeek | null => seek;
/** Return whether the list of tables is up to date. */
export const isConnected = (): boolean => isOpen;

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
  goOn();
}

/** Go on with the request of before the page was loaded. */
export function goOn(): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(keptRequest()));
  else void connect();
  bar ??= mount(SeekBar, { target: document.body });
}

export function cancelSeek(): void {
  socket?.send('{"type":"cancel"}');
  over();
  say(t('ui_lobby_cancelled'));
}

/** Forget the request, and close the connection that nobody needs any more. */
function over(): void {
  forgetRequest();
  seek = null;
  if (bar) void unmount(bar);
  bar = null;
  release();
}

function release(): void {
  if (lookers || keptRequest()) return;
  clearTimeout(again);
  const closed = socket;
  socket = null;
  closed?.close();
}

async function connect(): Promise<void> {
  if (socket || isConnecting) return;
  isConnecting = true;
  await api('/api/me').catch(() => undefined); // a new browser gets its cookie
  isConnecting = false;
  if (!lookers && !keptRequest()) return;
  const opened = (socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/lobby`));
  opened.onopen = () => {
    tables = [];
    opened.send(JSON.stringify({ type: 'hello', language: language() }));
    const request = keptRequest();
    if (request) opened.send(JSON.stringify(request));
  };
  opened.onmessage = ({ data }) => heard(JSON.parse(data as string) as Message);
  opened.onclose = ({ code }) => {
    if (socket !== opened) return; // closed by this page
    socket = null;
    isOpen = false;
    if (FINAL.has(code)) return over();
    again = setTimeout(() => void connect(), wait * (0.5 + Math.random() / 2));
    wait = Math.min(2 * wait, LATER);
  };
}

function heard(message: Message): void {
  wait = SOON;
  if (message.type === 'lobby') {
    const known = tables.filter(({ table }) => !message.gone.includes(table) && !message.tables.some((each) => each.table === table));
    tables = [...message.tables, ...known].sort((one, other) => other.created - one.created);
    people = message.people;
    isOpen = true;
  } else if (message.type === 'invitations') {
    showInvitations(message.invitations);
  } else if (message.type === 'seek') {
    changed(message);
  } else if (message.type === 'refused') {
    notice(message.error.message, { bad: true });
    if (message.id !== null && message.id === keptRequest()?.id) over();
  }
}

/** Follow the state of the own request: to the table of the pair, and back where the other did not come. */
function changed({ seek: newer, code }: SeekState): void {
  const before = seek;
  if (newer && newer.id !== keptRequest()?.id) return; // another page of this person seeks
  seek = newer;
  if (code && before?.table) notice(t(code === 'opponent-left' ? 'ui_lobby_opponent_left' : 'ui_lobby_seat_missed'));
  if (before?.table && !newer?.table && code && route().path === `/tables/${before.table}`) go('/');
  if (!newer) return over();
  if (!newer.table || newer.table === before?.table) return;
  go(`/tables/${newer.table}`);
  say(t('ui_lobby_found'));
  socket?.send(JSON.stringify({ type: 'arrive', table: newer.table }));
}
