/** The push subscription of this browser. */
import { api } from '../lib/api';
import { language } from '../lib/messages.svelte';
import type { PushChannel } from '../lib/protocol';

const DIGITS = 32;
const PATIENCE = 3_000; // ms for the push service

/** How this browser can be told something: at once, in the installed app only, or not at all. */
export function ability(): 'able' | 'installed' | 'none' {
  if ('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator) return 'able';
  const apple = /iPhone|iPad|Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  return apple ? 'installed' : 'none';
}

/**
 * Return the id by which the server knows the subscription of this browser, empty without one. One for
 * an earlier key of the server brings nothing any more.
 */
export async function ownId(key: string): Promise<string> {
  const subscription = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
  return subscription && isFor(key, subscription) ? idOf(subscription) : '';
}

function isFor(key: string, { options: { applicationServerKey: used } }: PushSubscription): boolean {
  const known = used && btoa(String.fromCharCode(...new Uint8Array(used)));
  return !known || known.replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=+$/, '') === key;
}

/** Subscribe with the key of the server. Return whether the user and the browser allow it. */
export async function turnOn(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) return false;
  await (await registration.pushManager.getSubscription())?.unsubscribe(); // it may be for an earlier key
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch(() => null);
  if (!made) return false;
  try {
    await send(made);
  } catch (error) {
    await made.unsubscribe();
    throw error;
  }
  return true;
}

/** Let the server know the subscription of this browser and the current language. */
async function send(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await api<PushChannel>('/api/notices/push', { body: { endpoint, keys, language: language() } });
}

/** Let the server know the current language for the subscription of this browser. */
export async function sendLanguage(): Promise<void> {
  const subscription = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
  if (subscription) await send(subscription);
}

/** End the subscription of this browser. */
export async function turnOff(): Promise<void> {
  const subscription = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
  if (!subscription) return;
  const id = await idOf(subscription);
  await api(`/api/notices/push/${id}`, { method: 'DELETE' });
  await subscription.unsubscribe();
}

/** End the subscription of a browser that the server has signed out, which has deleted it already. */
export async function unsubscribe(): Promise<void> {
  if (ability() !== 'able') return;
  const ended = navigator.serviceWorker
    .getRegistration()
    .then((registration) => registration?.pushManager.getSubscription())
    .then((subscription) => subscription?.unsubscribe());
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  await Promise.race([ended, late]).catch(() => undefined); // a push service that does not answer keeps nobody here
}

async function idOf({ endpoint }: PushSubscription): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('').slice(0, DIGITS);
}
