/**
 * The seeds that this device contributes to fair dice (docs/fairness.md). The device commits to
 * each seed by its hash before any seed is known, and stores it beyond the game for the
 * verification. The hash is computed in JavaScript, since `crypto.subtle` exists on https and
 * localhost only.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

const BYTES = 16;
const PLACE = 'dicecup-seeds';
/** The greatest number of stored entries; the newest are kept. */
const MOST = 300;
const held = new Map<string, string>();

/** Return the stored entries; none in a private window, where seeds last as long as the page. */
function stored(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

function store(name: string, text: string): void {
  held.set(name, text);
  try {
    const entries = Object.entries({ ...stored(), [name]: text }).slice(-MOST);
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // private window or full storage
  }
}

const nameOf = (table: string, seat: number): string => `${table} ${seat}`;

/** Return the seed that this device made for a seat, if it made one. */
export const knownSeed = (table: string, seat: number): string | undefined =>
  stored()[nameOf(table, seat)] ?? held.get(nameOf(table, seat));

/** Return the seed of a seat in hex, a new one where there is none. */
export function seedOf(table: string, seat: number): string {
  const known = knownSeed(table, seat);
  if (known !== undefined) return known;
  const name = nameOf(table, seat);
  const seed = bytesToHex(crypto.getRandomValues(new Uint8Array(BYTES)));
  store(name, seed);
  return seed;
}

export const hashOf = (seed: string): string => bytesToHex(sha256(hexToBytes(seed)));

/** Return the commitment that this device saw before the secret was published. */
export const notedCommitment = (table: string): string | undefined => stored()[`${table} commitment`] ?? held.get(`${table} commitment`);

/** Store the commitment of a table. Only the first one is stored. */
export function noteCommitment(table: string, commitment: string): void {
  if (!held.has(`${table} commitment`) && notedCommitment(table) === undefined) store(`${table} commitment`, commitment);
}
