/** Makes a table and goes there. */
import { api } from '../lib/api';
import type { Links } from '../lib/protocol';
import { go } from '../lib/router.svelte';
import { set } from '../lib/settings.svelte';
import { loadTable, loadYamMaster, loadYamm } from '../table/games';
import { remember, type Choices, type GameName } from './choices';
import { newTable } from './setup';
import type { Start } from './startText';

/** Throws `ApiError`. */
export async function openTable(game: GameName, choices: Choices, start: Start | null = null): Promise<void> {
  void Promise.allSettled([loadTable(), game === 'yamm' ? loadYamm() : loadYamMaster()]); // while the table is made
  const made = newTable(game, choices, start);
  const links = await api<Links>('/api/tables', { body: made });
  if (!start) remember(game, choices);
  if (!start) set({ name: choices.names[0]?.trim() ?? '' });
  // whoever sits nowhere comes as those who are sent a link
  const key = made.setup.seats.some((seat) => !seat.level) ? `join=${links.join_key}` : `watch=${links.watch_key}`;
  go(`/tables/${links.table}${made.seats.length ? '' : `#${key}`}`);
}
