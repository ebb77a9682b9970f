import { api, DEVICE } from '../lib/api';
import type { GameDescription } from '../lib/games.svelte';
import type { Links } from '../lib/protocol';
import { go } from '../lib/router.svelte';
import { set } from '../lib/settings.svelte';
import { loadScreen, loadTable } from '../table/screens';
import { remember, type Choices } from './choices';
import { newTable } from './setup';
import type { Start } from './startText';

export interface Where {
  /** The record or the position from which the game goes on. */
  start?: Start | null;
  /** Whether the table is on this device and needs no server. */
  onDevice?: boolean;
}

/** Make a table and go to it. Throws `ApiError`. */
export async function openTable(game: GameDescription, choices: Choices, { start = null, onDevice = false }: Where = {}): Promise<void> {
  void Promise.allSettled([loadTable(), loadScreen(game.id)]); // while the table is made
  const made = newTable(game, choices, start);
  const links = await api<Links>(`${onDevice ? DEVICE : ''}/api/tables`, { body: made });
  if (!start && !onDevice) remember(game, choices);
  if (!start) set({ name: choices.names[0]?.trim() ?? '' });
  if (onDevice) {
    go(`${DEVICE}/${links.table}`);
    return;
  }
  // A person who sits nowhere opens the table by the link for guests.
  const key = made.setup.seats.some((seat) => !seat.level) ? `join=${links.join_key}` : `watch=${links.watch_key}`;
  go(`/tables/${links.table}${made.seats.length ? '' : `#${key}`}`);
}
