import { noticeNext } from '../lib/notices.svelte';
import { t } from '../lib/messages.svelte';
import { set } from '../lib/settings.svelte';

/** Leave the page as a new person: what it knows of the earlier person goes. Say why on the next page. */
export function startAnew(why: 'ui_account_deleted' | 'ui_devices_done'): void {
  set({ name: '' });
  noticeNext(t(why));
  try {
    localStorage.removeItem('dicecup-tables');
  } catch {
    // storage is blocked
  }
  location.assign('/');
}
