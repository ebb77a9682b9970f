/**
 * The request for an opponent that this page has sent. It survives a reload of the page, but not a
 * longer absence: a tab that comes back hours later does not look for an opponent by itself.
 */
import type { SeekOpponent } from '../lib/protocol';

interface Kept {
  request: SeekOpponent;
  /** When the page was there last, in milliseconds since 1970. */
  seen: number;
}

const STORAGE_KEY = 'dicecup-seek';
/** Milliseconds of absence after which a page that comes back has no request any more. */
export const LATE = 120_000;
let request: SeekOpponent | null = stored();

function stored(): SeekOpponent | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Kept | null;
    if (kept && Date.now() - kept.seen < LATE) return kept.request;
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // storage is blocked or damaged
  }
  return null;
}

export const keptRequest = (): SeekOpponent | null => request;

export function keepRequest(made: SeekOpponent): void {
  request = made;
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ request, seen: Date.now() } satisfies Kept));
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

/** Keep when the page was there last. It may end without any further event. */
const keepTime = (): void => void (request && keepRequest(request));
document.addEventListener('visibilitychange', keepTime);
addEventListener('pagehide', keepTime);
