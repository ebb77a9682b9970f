/** The request for an opponent that this page has sent. It survives a reload of the page. */
import type { SeekOpponent } from '../lib/protocol';

const STORAGE_KEY = 'dicecup-seek';
let request: SeekOpponent | null = stored();

function stored(): SeekOpponent | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as SeekOpponent | null;
  } catch {
    return null; // storage is blocked or damaged
  }
}

export const keptRequest = (): SeekOpponent | null => request;

export function keepRequest(made: SeekOpponent): void {
  request = made;
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(made));
  } catch {
    // storage is blocked: a reload ends the request
  }
}

export function forgetRequest(): void {
  request = null;
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // nothing was stored
  }
}
