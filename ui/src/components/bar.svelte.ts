/**
 * The header while a game runs: one bar of 48 px that carries the players and the menu of the table
 * in place of the links to the pages.
 */
import type { Snippet } from 'svelte';

export interface Bar {
  /** The players; a game may show its own, for example tabs. */
  players: Snippet;
  /** The menu of the table. It is given a function that opens the settings. */
  menu: Snippet<[() => void]>;
}

let shown = $state.raw<Bar | null>(null);

/** Return the content of the header, `null` where no game runs. */
export const bar = (): Bar | null => shown;

/** Fill the header. Return a function that empties it. */
export function fillBar(content: Bar): () => void {
  shown = content;
  return () => {
    if (shown === content) shown = null;
  };
}
