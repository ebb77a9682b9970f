/**
 * Finished games on this device join the games of the person on the server, each once: the body of
 * the request is stored with the end of the game, and forgotten when the server has it. The server
 * knows games that are sent again.
 */
import { api } from '../lib/api';
import type { Joined } from '../lib/protocol';
import { BrowserStore } from './browserStore';
import { refusalOf } from './refusals';

/** Statuses with which the server refuses a game for good: it stays on this device. After any other it may join later. */
const FOR_GOOD = [400, 413, 422];

let store: BrowserStore | undefined;
let running: Promise<void> | undefined;

/** Send all finished games that the server has not got yet. Rejects where the server does not answer. */
export function joinGames(): Promise<void> {
  running ??= joinAlone().finally(() => (running = undefined));
  return running;
}

/** Wait for other pages: two new pages would get an identity each. */
async function joinAlone(): Promise<void> {
  await navigator.locks.request('dicecup-joining', join);
}

async function join(): Promise<void> {
  store ??= new BrowserStore();
  const games = await store.joining();
  if (games.length) await api('/api/me'); // a new browser gets its identity
  for (const { table, body } of games) {
    try {
      await api<Joined>('/api/device-games', { body: JSON.parse(body) });
    } catch (error) {
      if (!FOR_GOOD.includes(refusalOf(error).status)) continue;
    }
    await store.joined(table);
  }
}
