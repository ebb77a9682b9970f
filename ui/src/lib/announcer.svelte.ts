/**
 * The live region of the page. Each sentence is announced once, in order
 * (components/LiveRegion.svelte).
 */
import { untrack } from 'svelte';

interface Said {
  id: number;
  text: string;
}

/** Milliseconds for which a sentence stays in the page. */
const STAYS = 10_000;
let said = $state.raw<Said[]>([]);
let last = 0;

export const sentences = (): Said[] => said;

export function say(text: string): void {
  if (!text) return;
  const id = ++last;
  said = [...untrack(() => said), { id, text }]; // an effect that announces something must not depend on the list
  setTimeout(() => (said = said.filter((each) => each.id !== id)), STAYS);
}
