/** Short messages on the page: refusals and events (components/Notices.svelte). */
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

/** Show and announce a message for some seconds. */
export function notice(text: string, { bad = false } = {}): void {
  const id = ++last;
  shown = [...untrack(() => shown).filter((each) => each.text !== text), { id, text, bad }];
  say(text);
  setTimeout(() => dismiss(id), bad ? BAD_STAYS : STAYS);
}

/** Key of a message that the next page shows. */
const NEXT = 'dicecup-notice';

/** Show a message on the page that is loaded next. */
export function noticeNext(text: string): void {
  try {
    sessionStorage.setItem(NEXT, text);
  } catch {
    // storage is blocked
  }
}

/** Show the message of the page before, if it left one. */
export function noticeBefore(): void {
  try {
    const text = sessionStorage.getItem(NEXT);
    sessionStorage.removeItem(NEXT);
    if (text) notice(text);
  } catch {
    // storage is blocked
  }
}

/**
 * Wait for a promise and show the sentence of its error. Return whether it succeeded. A stale
 * version is not reported: the page shows the newer state.
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
