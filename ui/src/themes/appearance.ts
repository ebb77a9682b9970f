/** Sets the chosen appearance on the page. */
import type { Settings } from '../lib/settings.svelte';

let loaded: Promise<typeof import('./themes')> | undefined;

/**
 * Set the appearance of page, table, board and dice. Themes beside the first ones are loaded.
 * Rejects where loading fails; the first ones are shown then.
 */
export async function applyAppearance(settings: Settings): Promise<void> {
  const { theme, table, board, dice } = settings;
  Object.assign(document.documentElement.dataset, { theme, table, board, dice });
  if (!loaded && table === 'green' && board === 'oak' && dice === 'ivory') return;
  loaded ??= import('./themes');
  try {
    (await loaded).applyDiceColour(settings);
  } catch (error) {
    loaded = undefined;
    throw error;
  }
}
