/** The one live region: what is said here is read aloud, exactly once and in order (components/LiveRegion.svelte). */
import { untrack } from 'svelte';

interface Said {
  id: number;
  text: string;
}

/** How long a sentence stays for a reader to find it. */
const STAYS = 10_000;
let said = $state.raw<Said[]>([]);
let last = 0;

export const sentences = (): Said[] => said;

export function say(text: string): void {
  if (!text) return;
  const id = ++last;
  said = [...untrack(() => said), { id, text }]; // whoever says something in an effect does not wait for what is said next
  setTimeout(() => (said = said.filter((each) => each.id !== id)), STAYS);
}
