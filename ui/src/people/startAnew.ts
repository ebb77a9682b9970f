import { noticeNext } from '../lib/notices.svelte';
import { t } from '../lib/messages.svelte';
import { set } from '../lib/settings.svelte';
import { unsubscribe } from './push';

/** What this browser keeps of a person: tables, own mistakes with answers that wait, muted people, invitations set aside. */
const KEPT = ['dicecup-tables', 'dicecup-mistakes', 'dicecup-muted', 'dicecup-invitations'];

/**
 * Leave the page as a new person: what it knows of the earlier person goes, and so do the messages
 * that this browser shows. Say why on the next page.
 */
export async function startAnew(why: 'ui_account_deleted' | 'ui_devices_done'): Promise<void> {
  await unsubscribe();
  set({ name: '' });
  noticeNext(t(why));
  try {
    for (const place of KEPT) localStorage.removeItem(place);
    if ('caches' in window) await caches.delete('dicecup-mistakes');
  } catch {
    // storage is blocked
  }
  location.assign('/');
}
