/** Short sentences for whoever looks at the page: what was refused and why, what just happened (components/Notices.svelte). */
import { untrack } from 'svelte';
import { ApiError, sentence } from './api';
import { say } from './announcer.svelte';

export interface Notice {
  id: number;
  text: string;
  bad: boolean;
}

const STAYS = 8_000;
const BAD_STAYS = 20_000;
let shown = $state.raw<Notice[]>([]);
let last = 0;

export const notices = (): Notice[] => shown;

export const dismiss = (id: number): void => {
  shown = shown.filter((notice) => notice.id !== id);
};

/** Shows it for a while, and says it. */
export function notice(text: string, { bad = false } = {}): void {
  const id = ++last;
  shown = [...untrack(() => shown).filter((each) => each.text !== text), { id, text, bad }];
  say(text);
  setTimeout(() => dismiss(id), bad ? BAD_STAYS : STAYS);
}

/**
 * Does it; what goes wrong is shown as a sentence. The answer says whether it was done. That something else happened at the table
 * first is no reason for alarm: it is there to be seen already.
 */
export async function attempt(doing: Promise<unknown>): Promise<boolean> {
  try {
    await doing;
    return true;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'stale-version')) notice(sentence(error), { bad: true });
    return false;
  }
}
