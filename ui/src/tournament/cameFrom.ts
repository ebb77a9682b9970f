/** The tournaments of tables, for the way back: noted when the user goes to a table, else asked for. */
import { api } from '../lib/api';
import type { TournamentOfTable } from '../lib/protocol';
import type { Table } from '../lib/table.svelte';

const STORAGE_KEY = 'dicecup-tournament';
/** The answers of the server by table. */
const asked = new Map<string, Promise<string>>();

export function noteTournament(table: string, tournament: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, `${table} ${tournament}`);
  } catch {
    // storage is blocked: the server knows the tournament of a table, too
  }
}

/** Return the tournament from which the user came to a table, empty where there is none. */
export function tournamentOf(table: string): string {
  try {
    const [noted, tournament] = (sessionStorage.getItem(STORAGE_KEY) ?? '').split(' ');
    return noted === table ? (tournament ?? '') : '';
  } catch {
    return '';
  }
}

/** Return the tournament of a table, empty where it belongs to none or the server does not answer. */
export async function findTournament({ id, isOnDevice }: Table): Promise<string> {
  const noted = tournamentOf(id);
  if (noted || isOnDevice) return noted;
  const answer = asked.get(id) ?? api<TournamentOfTable>(`/api/tables/${id}/tournament`).then(({ tournament }) => tournament ?? '');
  asked.set(id, answer);
  try {
    return await answer;
  } catch {
    asked.delete(id);
    return '';
  }
}
