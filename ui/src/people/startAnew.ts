import { noticeNext } from '../lib/notices.svelte';
import { t } from '../lib/messages.svelte';
import { set } from '../lib/settings.svelte';
import { unsubscribe } from './push';

/**
 * Leave the page as a new person: what it knows of the earlier person goes, and so do the messages
 * that this browser shows. Say why on the next page.
 */
export async function startAnew(why: 'ui_account_deleted' | 'ui_devices_done'): Promise<void> {
  await unsubscribe();
  set({ name: '' });
  noticeNext(t(why));
  try {
    localStorage.removeItem('dicecup-tables');
  } catch {
    // storage is blocked
  }
  location.assign('/');
}
