/** Requests of the administration: lists that are loaded again after a change, and times. */
import { say } from '../lib/announcer.svelte';
import { api, sentence } from '../lib/api';
import { dateLocale, t, type Key } from '../lib/messages.svelte';
import { attempt } from '../lib/notices.svelte';

export const DAY = 86_400;

/** The answer to a request, which `load` asks again. Only the answer to the last request is shown. */
export class Asked<Answer> {
  answer = $state.raw<Answer | null>(null);
  refusal = $state('');
  #last = 0;

  constructor(private readonly path: () => string) {}

  load = async (): Promise<void> => {
    const number = ++this.#last;
    try {
      const answer = await api<Answer>(`/api/admin${this.path()}`);
      if (number !== this.#last) return;
      this.answer = answer;
      this.refusal = '';
    } catch (error) {
      if (number === this.#last) say((this.refusal = sentence(error)));
    }
  };
}

/** Act, and announce that it was done, or show why it was refused. Return whether it was done. */
export async function act(path: string, body: unknown = undefined, method = 'POST'): Promise<boolean> {
  const done = await attempt(api(`/api/admin${path}`, { method, ...(body === undefined ? {} : { body }) }));
  if (done) say(t('ui_admin_done'));
  return done;
}

/** The number of open reports, which the tab of the reports shows. */
export const openReports = $state({ count: 0 });

export const timeText = (seconds: number): string =>
  new Intl.DateTimeFormat(dateLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(1000 * seconds);

/** How long a ban, a block or a message lasts, in seconds. */
export const SPANS: readonly { seconds: number; name: Key }[] = [
  { seconds: 3600, name: 'ui_admin_hour' },
  { seconds: DAY, name: 'ui_admin_day' },
  { seconds: 7 * DAY, name: 'ui_admin_week' },
  { seconds: 30 * DAY, name: 'ui_admin_month' },
  { seconds: 365 * DAY, name: 'ui_admin_year' },
];

/** By how many seconds the server's clock is ahead of that of this device. */
let ahead = 0;
export const keepTime = (now: number): void => void (ahead = now - Date.now() / 1000);

/** The end of what begins now, by the server's clock. */
export const endOf = (seconds: number): number => Date.now() / 1000 + ahead + seconds;
