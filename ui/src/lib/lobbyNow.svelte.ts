/**
 * What a page without a connection to the lobby knows of it: how many people are there, and whether
 * the user is invited. The server is asked from time to time; a table says when to ask.
 */
import { api } from './api';
import type { LobbyNow } from './protocol';
import { route } from './router.svelte';

const OFTEN = 30_000;
const NOT_AGAIN = 5_000;
let people = $state(0);
let asked = -Infinity;
/** Whether there was an invitation to show, or the answer to one: then the code that shows them is loaded. */
let showsInvitations = false;

export const peopleInLobby = (): number => people;

/** Ask the server, unless it was asked just now. The part of the page that shows invitations is loaded with the first one. */
export async function lookAtLobby(mayBeNew = false): Promise<void> {
  if (document.hidden || (!mayBeNew && performance.now() < asked + NOT_AGAIN)) return;
  asked = performance.now();
  try {
    const found = await api<LobbyNow>('/api/lobby');
    people = found.people;
    showsInvitations ||= found.invitations.length + found.declined.length > 0;
    if (!showsInvitations) return;
    const { heard, heardDeclined } = await import('../lobby/invitations.svelte');
    heard(found.invitations);
    heardDeclined(found.declined);
  } catch {
    // no connection, or a ban: the next look follows later
  }
}

/** Start to look. Called once, when the page starts. */
export function watchLobby(): void {
  const look = () => void lookAtLobby();
  look();
  document.addEventListener('visibilitychange', look);
  setInterval(() => route().path.startsWith('/tables/') || look(), OFTEN);
}
