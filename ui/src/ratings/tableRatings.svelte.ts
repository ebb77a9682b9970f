/** The ratings at the table of this page, asked for once before the game and again after its end. */
import { api } from '../lib/api';
import type { RatedTable } from '../lib/protocol';

/** Milliseconds between two requests while the game is being rated. They double. */
const SOON = 500;
const TRIES = 6;

let of = $state.raw('');
let found = $state.raw<RatedTable | null>(null);
let waits: ReturnType<typeof setTimeout> | undefined;

/** Return the ratings at a table, `null` until they are known. */
export const ratingsAt = (table: string): RatedTable | null => (of === table ? found : null);

/** Ask for the ratings at a table; after the `end` of its game until it is rated. */
export async function loadRatings(table: string, key: string | undefined, end: boolean, tries = 0): Promise<void> {
  clearTimeout(waits);
  try {
    const answer = await api<RatedTable>(`/api/tables/${table}/ratings`, { key });
    of = table;
    found = answer;
    if (!end || !['playing', 'in-event', 'waiting'].includes(answer.state)) return;
  } catch {
    if (!end) return; // the names stand without ratings
  }
  if (tries < TRIES) waits = setTimeout(() => void loadRatings(table, key, end, tries + 1), SOON * 2 ** tries);
}
