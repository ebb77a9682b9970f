/**
 * The seeds that this device contributes to fair dice (docs/fairness.md). The device commits to
 * each seed by its hash before any seed is known, and stores it beyond the game for the
 * verification.
 */

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

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const nameOf = (table: string, seat: number): string => `${table} ${seat}`;

/** Return the seed that this device made for a seat, if it made one. */
export const knownSeed = (table: string, seat: number): string | undefined =>
  stored()[nameOf(table, seat)] ?? held.get(nameOf(table, seat));

/** Return the seed of a seat in hex, a new one where there is none. */
export function seedOf(table: string, seat: number): string {
  const known = knownSeed(table, seat);
  if (known !== undefined) return known;
  const name = nameOf(table, seat);
  const seed = hexOf(crypto.getRandomValues(new Uint8Array(BYTES)));
  store(name, seed);
  return seed;
}

/**
 * Return the SHA-256 of a seed in hex. `crypto.subtle` exists on https and localhost only; elsewhere
 * a library computes it. Rejects where that cannot be loaded.
 */
export async function hashOf(seed: string): Promise<string> {
  const bytes = bytesOf(seed);
  if (crypto.subtle as SubtleCrypto | undefined) return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  const { sha256 } = await import('@noble/hashes/sha2.js');
  return hexOf(sha256(bytes));
}

/** Return the commitment that this device saw before the secret was published. */
export const notedCommitment = (table: string): string | undefined => stored()[`${table} commitment`] ?? held.get(`${table} commitment`);

/** Store the commitment of a table. Only the first one is stored. */
export function noteCommitment(table: string, commitment: string): void {
  if (!held.has(`${table} commitment`) && notedCommitment(table) === undefined) store(`${table} commitment`, commitment);
}
