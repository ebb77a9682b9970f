/** The settings of this device, stored on it. */
import type { Pace } from '../playback/frames';
import type { Language } from './messages.svelte';

/** Questions before actions that cannot be undone (components/AskOnce.svelte). */
export const QUESTIONS = ['pass', 'defi', 'strike'] as const;
export type Question = (typeof QUESTIONS)[number];

export interface Settings {
  language: Language | null;
  theme: 'auto' | 'light' | 'dark';
  table: 'green' | 'blue' | 'wine' | 'graphite' | 'walnut';
  board: 'oak' | 'walnut' | 'slate' | 'paper';
  dice: 'ivory' | 'red' | 'black' | 'maple' | 'own';
  /** The colour of dice of the user's own colour: `#rrggbb`. */
  diceColour: string;
  muted: boolean;
  /** The volume of the sounds, from 0 to 100. */
  volume: number;
  vibration: boolean;
  notifications: boolean;
  animation: boolean;
  /** Whether the page shows what people say at a table. */
  talk: boolean;
  /** The pace at which actions of others are played out. */
  pace: Pace;
  /** The questions that are not asked again. */
  unasked: Question[];
  /** Whether the start page shows the lobby. */
  lobby: boolean;
  /** The name of the user at the last table. */
  name: string;
}

const PLACE = 'dicecup-settings';
const USUAL: Settings = {
  language: null,
  theme: 'auto',
  table: 'green',
  board: 'oak',
  dice: 'ivory',
  diceColour: '#2f6f8f',
  muted: false,
  volume: 50,
  vibration: true,
  notifications: false,
  animation: true,
  talk: true,
  pace: 'normal',
  unasked: [],
  lobby: false,
  name: '',
};

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Settings>;
  } catch {
    return {}; // storage is blocked or damaged
  }
}

export const settings: Settings = $state({ ...USUAL, ...stored() });

/** Change settings and store them. */
export function set(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(PLACE, JSON.stringify(settings));
  } catch {
    // private window: the setting lasts until the page is closed
  }
}

/** Return whether a question is asked before an action. */
export const asksBefore = (question: Question): boolean => !settings.unasked.includes(question);

/** Return whether animations are allowed. */
export const moves = (): boolean => settings.animation && !matchMedia('(prefers-reduced-motion: reduce)').matches;
