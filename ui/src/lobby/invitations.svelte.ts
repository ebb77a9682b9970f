/**
 * Invitations of people to tables. The lobby lists them; over every page the newest one is shown
 * (InvitationBar.svelte) until it is accepted, declined or put aside.
 */
import { mount } from 'svelte';
import { say } from '../lib/announcer.svelte';
import { api } from '../lib/api';
import { gameTitle } from '../lib/games.svelte';
import { t } from '../lib/messages.svelte';
import { attempt, notice } from '../lib/notices.svelte';
import type { LobbyInvitation } from '../lib/protocol';
import { route } from '../lib/router.svelte';
import { isolate } from '../table/labels';
import InvitationBar from './InvitationBar.svelte';

const PLACE = 'dicecup-invitations';
/** The newest invitations of which it is kept that they were put aside. */
const MOST = 20;

let invited = $state.raw<readonly LobbyInvitation[]>([]);
let aside = $state.raw<readonly string[]>(stored());
let isMounted = false;
const announced = new Set<string>();
/** The tables where the user has read that the invitation was declined. */
const toldDeclined = new Set<string>();

function stored(): string[] {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '[]') as string[];
  } catch {
    return []; // storage is blocked or damaged
  }
}

/** A person may be invited to the same table once more. */
const keyOf = ({ table, created }: LobbyInvitation): string => `${table} ${created}`;
const isAnswered = (each: LobbyInvitation): boolean => aside.includes(keyOf(each)) || route().path === `/tables/${each.table}`;

export const invitations = (): readonly LobbyInvitation[] => invited;
/** Return the invitation to show over the page, `undefined` if there is none. */
export const shownOver = (): LobbyInvitation | undefined => invited.find((each) => !isAnswered(each));
export const textOf = ({ name, game }: LobbyInvitation): string => t('ui_lobby_invited', { name: isolate(name), game: gameTitle(game) });

/** Tell the user, once, that the invitation to the table of this page is one of the declined ones. */
export function heardDeclined(declined: readonly string[]): void {
  const here = declined.filter((table) => route().path === `/tables/${table}`);
  if (here.some((table) => !toldDeclined.has(table))) notice(t('ui_lobby_declined'));
  // A new invitation to the same table can be declined, too, and is told again.
  for (const each of toldDeclined) if (!declined.includes(each)) toldDeclined.delete(each);
  for (const each of here) toldDeclined.add(each);
}

/** Show the invitations that the user has now, and announce the newest one that is new. */
export function heard(found: readonly LobbyInvitation[]): void {
  const fresh = found.find((each) => !announced.has(keyOf(each)) && !isAnswered(each));
  found.forEach((each) => announced.add(keyOf(each)));
  invited = found;
  if (!isMounted) mount(InvitationBar, { target: document.body });
  isMounted = true;
  if (fresh) say(textOf(fresh));
}

export async function decline(declined: LobbyInvitation): Promise<boolean> {
  const done = await attempt(api(`/api/lobby/invitations/${declined.table}`, { method: 'DELETE' }));
  if (done) invited = invited.filter(({ table }) => table !== declined.table);
  return done;
}

/** Show an invitation over no page any more. It stays in the list of the lobby. */
export function putAside(invitation: LobbyInvitation): void {
  aside = [...aside, keyOf(invitation)].slice(-MOST);
  try {
    localStorage.setItem(PLACE, JSON.stringify(aside));
  } catch {
    // private window: it is shown again when the page is loaded again
  }
}
