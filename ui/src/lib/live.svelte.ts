/** The one live region: what is said here is read aloud, exactly once and in order (components/LiveRegion.svelte). */

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
  said = [...said, { id, text }];
  setTimeout(() => (said = said.filter((each) => each.id !== id)), STAYS);
}
