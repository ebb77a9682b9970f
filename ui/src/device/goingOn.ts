/**
 * Going on without the server with a game against computers, and handing it back when the server
 * answers (docs/decisions/0029). What may go on, and what comes back, is decided in Python.
 */
import { api, ApiError, DEVICE } from '../lib/api';
import type { View } from '../lib/protocol';
import { BrowserStore, type Returning } from './browserStore';
import { refusalOf } from './refusals';

/** What happened to a game of the server that went on here: it is back at its table, or stays on this device. */
export interface Handed {
  table: string;
  origin: string;
  kept: boolean;
}

/** The channel on which all pages learn what happened. */
export const HANDED = 'dicecup-handed';
/** Statuses with which the server refuses a game for good. After any other the game goes on here for now. */
const FOR_GOOD = [400, 403, 404, 409, 413, 422];

let store: BrowserStore | undefined;
let running: Promise<Handed[]> | undefined;
let pages: BroadcastChannel | undefined;

/** Go on here with the game of a view and return the id of the table on this device. Throws `ApiError`. */
export async function goOnHere(view: View): Promise<string> {
  const { fairness, starting } = view;
  const body = {
    table: view.table,
    number: view.number,
    game: view.game,
    dice_of: view.dice_of,
    seats: view.seats.map(({ seat, name, level }) => ({ name, level, seed: fairness?.seats[seat]?.seed ?? '' })),
    order: view.order,
    lot: starting?.lot ?? null,
    rounds: starting?.rounds ?? [],
    position: view.position,
    history: view.history,
    running: view.running,
    commitment: fairness?.commitment ?? '',
    throws: fairness?.throws ?? 0,
  };
  return (await api<{ table: string }>(`${DEVICE}/api/going-on`, { body })).table;
}

/** Return whether a table on this device belongs to a table of the server. */
export async function isBorrowed(table: string): Promise<boolean> {
  store ??= new BrowserStore();
  return (await store.returning()).some((entry) => entry.table === table && !entry.kept);
}

/** Hand all games back, one page at a time. Rejects where the server does not answer. */
export function handBack(): Promise<Handed[]> {
  running ??= Promise.resolve(navigator.locks.request('dicecup-returning', handAllBack)).finally(() => (running = undefined));
  return running;
}

async function handAllBack(): Promise<Handed[]> {
  store ??= new BrowserStore();
  const handed: Handed[] = [];
  for (const entry of await store.returning()) {
    const kept = await handOneBack(store, entry);
    if (kept === null) continue;
    const { table, origin } = entry;
    handed.push({ table, origin, kept });
    pages ??= new BroadcastChannel(HANDED);
    pages.postMessage({ table, origin, kept } satisfies Handed);
  }
  return handed;
}

/** Hand a game back and return whether it was kept here; `null` where it goes on here for now. */
async function handOneBack(held: BrowserStore, { table, origin, body, number, kept }: Returning): Promise<boolean | null> {
  if (body === null || kept) return null;
  try {
    await send(origin, body);
  } catch (error) {
    if (!FOR_GOOD.includes(refusalOf(error).status)) return null;
    await held.keep(table);
    return true;
  }
  // Steps that were made meanwhile are handed in the next time: the server knows those that it has.
  return (await held.returned(table, number)) ? false : null;
}

/** Send a request. A browser without an identity gets one first, which has no table: the game is kept. */
async function send(origin: string, body: string): Promise<void> {
  const address = `/api/tables/${origin}/hand-back`;
  try {
    await api(address, { body: JSON.parse(body) });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'no-identity')) throw error;
    await api('/api/me');
    await api(address, { body: JSON.parse(body) });
  }
}
