/**
 * This device's part of fair dice (docs/fairness.md): a seed for each seat, promised by its hash before anybody's is known.
 * The hash is computed in plain JavaScript, since browsers offer theirs on https and localhost alone.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

const BYTES = 16;
const held = new Map<string, string>();

/** The seed in hex; a page that is loaded again still has it. */
export function seedOf(table: string, seat: number): string {
  const name = `dicecup-seed-${table}-${seat}`;
  let seed = held.get(name);
  try {
    seed ??= localStorage.getItem(name) ?? undefined;
  } catch {
    // a private window: the seed lives as long as the page
  }
  seed ??= bytesToHex(crypto.getRandomValues(new Uint8Array(BYTES)));
  held.set(name, seed);
  try {
    localStorage.setItem(name, seed);
  } catch {
    // as above
  }
  return seed;
}

export const hashOf = (seed: string): string => bytesToHex(sha256(hexToBytes(seed)));

/** Once it is revealed nobody needs it here any more. */
export function forget(table: string, seat: number): void {
  const name = `dicecup-seed-${table}-${seat}`;
  held.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // as above
  }
}
