/** What this device likes, kept on this device. */
import type { Language } from './messages.svelte';

export interface Settings {
  language: Language | null;
  theme: 'auto' | 'light' | 'dark';
  sounds: boolean;
  vibration: boolean;
  notifications: boolean;
  animation: boolean;
  /** The name at the last table. */
  name: string;
}

const PLACE = 'dicecup-settings';
const USUAL: Settings = {
  language: null,
  theme: 'auto',
  sounds: false,
  vibration: true,
  notifications: false,
  animation: true,
  name: '',
};

function kept(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Settings>;
  } catch {
    return {}; // nothing may be kept here, or it was damaged
  }
}

export const settings: Settings = $state({ ...USUAL, ...kept() });

/** Changes settings and keeps them. */
export function set(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(PLACE, JSON.stringify(settings));
  } catch {
    // a private window: it holds until the page is closed
  }
}

/** Whether things may move. */
export const moves = (): boolean => settings.animation && !matchMedia('(prefers-reduced-motion: reduce)').matches;
