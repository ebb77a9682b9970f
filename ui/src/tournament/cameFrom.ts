/** The tournament from which the user went to a table, for the way back. */
const STORAGE_KEY = 'dicecup-tournament';

export function noteTournament(table: string, tournament: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, `${table} ${tournament}`);
  } catch {
    // storage is blocked: the browser's own way back is left
  }
}

/** Return the tournament of a table, empty where the user did not come from one. */
export function tournamentOf(table: string): string {
  try {
    const [noted, tournament] = (sessionStorage.getItem(STORAGE_KEY) ?? '').split(' ');
    return noted === table ? (tournament ?? '') : '';
  } catch {
    return '';
  }
}
