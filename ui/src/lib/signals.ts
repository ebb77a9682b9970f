/** Calls somebody who may be looking elsewhere: a sound, a vibration, a mark in the title, a notification. Each as it is wished. */
import { settings } from './settings.svelte';

let context: AudioContext | undefined;

/** Browsers let a page sound only after somebody touched it. */
function audio(): AudioContext | undefined {
  if (!settings.sounds || typeof AudioContext === 'undefined') return undefined;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  return context;
}

/** A short soft tone for each of these frequencies, one after the other. */
function tones(...frequencies: number[]): void {
  const at = audio();
  if (!at) return;
  frequencies.forEach((frequency, place) => {
    const begin = at.currentTime + place * 0.14;
    const tone = new OscillatorNode(at, { type: 'sine', frequency });
    const loudness = new GainNode(at, { gain: 0 });
    loudness.gain.linearRampToValueAtTime(0, begin);
    loudness.gain.linearRampToValueAtTime(0.12, begin + 0.015);
    loudness.gain.exponentialRampToValueAtTime(0.0005, begin + 0.22);
    tone.connect(loudness).connect(at.destination);
    tone.start(begin);
    tone.stop(begin + 0.24);
  });
}

export const soundTurn = (): void => tones(587, 880);

export const soundOver = (): void => tones(523, 659, 784);


export function vibrate(): void {
  if (settings.vibration && 'vibrate' in navigator && navigator.userActivation?.hasBeenActive) navigator.vibrate(80);
}

/** For slow games, while the page is not looked at. */
export async function notify(title: string, text: string, tag: string): Promise<void> {
  if (!settings.notifications || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
  const options = { body: text, tag };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) await worker.showNotification(title, options);
    else new Notification(title, options).onclick = () => focus();
  } catch {
    // some browsers have notifications and let no page show one
  }
}

/** Keeps the screen on until the answer is called: dice on a table take longer than a phone waits. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let over = false;
  const ask = async (): Promise<void> => {
    if (over || document.hidden || !('wakeLock' in navigator)) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (over) await lock.release();
    } catch {
      // not now: a low battery, for example
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
