/**
 * The parts of the page that a table needs. Each is loaded when a table needs it, and earlier where
 * that is known before.
 */
import { knownGame } from '../lib/games.svelte';
import { assertNever } from '../lib/notation';

export const loadTable = () => import('./TablePage.svelte');
export const loadYamMaster = () => import('../yam_master/YamMasterGame.svelte');
export const loadYamm = () => import('../yamm/YammGame.svelte');
export const loadGenericGame = () => import('./GenericGame.svelte');

/** Load the screen that plays the game of this id. */
export function loadScreen(id: string): Promise<unknown> {
  const game = knownGame(id);
  switch (game) {
    case 'yam-master':
      return loadYamMaster();
    case 'yamm':
      return loadYamm();
    case null:
      return loadGenericGame();
    default:
      return assertNever(game);
  }
}
