/**
 * Signals for a player whose attention may be elsewhere: sound, vibration, notification. Each can
 * be switched off.
 */
import { settings } from './settings.svelte';

let context: AudioContext | undefined;

/** Return the audio context. Browsers allow sound only after the first interaction. */
function audio(): AudioContext | undefined {
  if (!settings.sounds || typeof AudioContext === 'undefined') return undefined;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  return context;
}

/** Play short tones, one after the other. Frequencies are in Hz. */
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

/** Show a notification while the page is hidden. */
export async function notify(title: string, text: string, tag: string): Promise<void> {
  if (!settings.notifications || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
  const options = { body: text, tag };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) await worker.showNotification(title, options);
    else new Notification(title, options).onclick = () => focus();
  } catch {
    // some browsers refuse notifications from pages
  }
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
