/**
 * Signals for a player whose attention may be elsewhere: vibration, notification, wake lock. Each
 * can be switched off. Sounds are in lib/sounds.
 */
import { settings } from './settings.svelte';

export function vibrate(): void {
  if (settings.vibration && 'vibrate' in navigator && navigator.userActivation?.hasBeenActive) navigator.vibrate(80);
}

/** Show a notification about a table while the page is hidden. `tag`: the id of the table. */
export async function notify(title: string, text: string, tag: string): Promise<void> {
  if (!settings.notifications || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
  const options = { body: text, tag, data: { path: `/tables/${tag}` } };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) await worker.showNotification(title, options);
    else new Notification(title, options).onclick = () => focus();
  } catch {
    // some browsers refuse notifications from pages
  }
}

/** Close the notifications about a table while the page is visible. */
export async function closeNotifications(tag: string): Promise<void> {
  if (document.hidden) return;
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const shown of (await worker?.getNotifications({ tag })) ?? []) shown.close();
}

/**
 * Keep the screen on. Return a function that ends it. Players with real dice look at the table
 * longer than a phone stays on.
 */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let over = false;
  const ask = async (): Promise<void> => {
    if (over || document.hidden || !('wakeLock' in navigator)) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (over) await lock.release();
    } catch {
      // refused, for example because of a low battery
    }
  };
  document.addEventListener('visibilitychange', ask);
  void ask();
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', ask);
    void lock?.release();
  };
}
