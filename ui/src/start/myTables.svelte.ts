/**
 * The tables of the user, for the lists of the start page and for the level that suits the user. The
 * list of the last visit is used until the answer of the server comes.
 */
import { api, sentence } from '../lib/api';
import { wasUsed } from '../device/used';
import { t } from '../lib/messages.svelte';
import { gameName } from '../lib/notation';
import { notice } from '../lib/notices.svelte';
import type { Played } from './fittingLevel';
import { myTables, type MyTable } from './tables';

const STORAGE_KEY = 'dicecup-tables';
/** The greatest number of tables that are stored. */
const STORED = 30;

let list = $state.raw<MyTable[] | null>(stored());
let trouble = $state('');

function stored(): MyTable[] | null {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as MyTable[] | null;
  } catch {
    return null; // storage is blocked or damaged
  }
}

/** Return the tables, `null` on a first visit until the answer comes. */
export const knownTables = (): readonly MyTable[] | null => list;

/** Return the reason why the list could not be loaded; empty where it could. */
export const tablesTrouble = (): string => trouble;

/** Tables on which the user is on turn come first, then the newest. */
const byTurnAndTime = (one: MyTable, other: MyTable): number =>
  Number(other.yourTurn) - Number(one.yourTurn) || other.created - one.created;

/** Return the tables on this device; none where nothing was played here. Throws `ApiError`. */
async function deviceTables(): Promise<MyTable[]> {
  return wasUsed() ? (await import('../device/tablesHere')).tablesHere() : [];
}

/**
 * Hand games back that went on on this device, and let its finished games join those of the user.
 * Without a connection that happens later.
 */
export async function join(): Promise<void> {
  if (!wasUsed()) return;
  const handed = await import('../device/goingOn').then(({ handBack }) => handBack()).catch(() => []);
  if (handed.some(({ kept }) => kept)) notice(t('ui_device_kept'));
  await import('../device/joining').then(({ joinGames }) => joinGames()).catch(() => undefined);
}

/** Load the tables of the server and of this device. Those that cannot be loaded stay as they were. */
export async function loadTables(): Promise<void> {
  await join();
  const found = await Promise.allSettled([myTables((path) => api(path)), deviceTables()]);
  const [there, here] = found.map((each, at) => (each.status === 'fulfilled' ? each.value : known(at === 1)));
  const ids = new Set(here!.map(({ table }) => table));
  list = [...there!.filter(({ table, joined }) => !joined || !ids.has(table)), ...here!].sort(byTurnAndTime);
  trouble = found.flatMap((each) => (each.status === 'rejected' ? [sentence(each.reason)] : [])).join(' ');
  if (trouble) return;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(list.slice(0, STORED)));
  } catch {
    // private window or full storage: the next visit waits for the answer
  }
}

const known = (onDevice: boolean): MyTable[] => (list ?? []).filter((table) => Boolean(table.onDevice) === onDevice);

/** Return the finished games of the user against one computer, the newest first. */
export function playedAgainstComputer(game: string): Played[] {
  return (list ?? []).flatMap(({ game: id, outcome, glance: { seats } }) => {
    const computers = seats.filter(({ level }) => level);
    const fits = gameName(id) === game && outcome && computers.length === 1 && seats.length === 2;
    return fits ? [{ level: computers[0]!.level!, outcome }] : [];
  });
}
