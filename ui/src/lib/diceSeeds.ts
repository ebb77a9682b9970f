/**
 * This device's part of fair dice (docs/fairness.md): a seed for each seat, promised by its hash before anybody's is known. It is
 * kept beyond the game, so that whoever checks the dice sees that their own seed was among them.
 * The hash is computed in plain JavaScript, since browsers offer theirs on https and localhost alone.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

const BYTES = 16;
const PLACE = 'dicecup-seeds';
/** So many of them are kept, the newest. */
const MOST = 300;
const held = new Map<string, string>();

/** What any tab of this browser has kept; nothing in a private window, where seeds live as long as the page. */
function kept(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

function keep(name: string, text: string): void {
  held.set(name, text);
  try {
    const entries = Object.entries({ ...kept(), [name]: text }).slice(-MOST);
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // a private window
  }
}

const nameOf = (table: string, seat: number): string => `${table} ${seat}`;

/** The seed of a seat of ours that this device made, if it made one. */
export const knownSeed = (table: string, seat: number): string | undefined =>
  kept()[nameOf(table, seat)] ?? held.get(nameOf(table, seat));

/** The seed in hex; a page that is loaded again still has it. */
export function seedOf(table: string, seat: number): string {
  const known = knownSeed(table, seat);
  if (known !== undefined) return known;
  const name = nameOf(table, seat);
  const seed = bytesToHex(crypto.getRandomValues(new Uint8Array(BYTES)));
  keep(name, seed);
  return seed;
}

export const hashOf = (seed: string): string => bytesToHex(sha256(hexToBytes(seed)));

/** The commitment of a table's dice as this device saw it before their secret was known. */
export const promised = (table: string): string | undefined => kept()[`${table} commitment`] ?? held.get(`${table} commitment`);

/** Keeps it; the first one that was seen counts. */
export function notePromise(table: string, commitment: string): void {
  if (!held.has(`${table} commitment`) && promised(table) === undefined) keep(`${table} commitment`, commitment);
}
