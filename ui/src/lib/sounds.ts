/**
 * The sounds of a table. `play` starts a sound at once. The sounds are synthesised by a module that
 * is loaded after the first interaction at a table.
 */
import { settings } from './settings.svelte';

export type SoundName =
  /** The cup is shaken. */
  | 'cup'
  /** Dice fall on the felt; `dice` is their number. */
  | 'dice'
  /** A die is put aside or taken back. */
  | 'keep'
  /** A Défi is declared. */
  | 'declare'
  /** A token is put on the board. */
  | 'token'
  /** A token is taken off the board. */
  | 'remove'
  /** A result is written. */
  | 'pen'
  /** A cell is struck. */
  | 'strike'
  /** A line of Yam Master scores. */
  | 'line'
  /** A column of Yamm earns a bonus. */
  | 'bonus'
  /** The game waits for the user. */
  | 'turn'
  | 'win'
  | 'loss'
  | 'draw';

export interface SoundDetail {
  /** The number of dice, for `cup` and `dice`. */
  dice?: number;
  /** Seconds until the sound begins. */
  after?: number;
}

type Synthesis = typeof import('../sounds/synthesis');

/** Milliseconds after which a sound comes too late for what is on the screen. */
const LATE = 300;
/** Sounds for a user who looks elsewhere. All others are left out while the page is hidden. */
const CALLS: ReadonlySet<SoundName> = new Set(['turn', 'win', 'loss', 'draw']);

let context: AudioContext | undefined;
let synthesis: Promise<Synthesis> | undefined;

const audible = (): boolean => !settings.muted && settings.volume > 0 && 'AudioContext' in globalThis;
/** Return whether the user has touched the page. Browsers allow no sound before. */
export const touched = (): boolean => navigator.userActivation?.hasBeenActive ?? synthesis !== undefined;

function load(): Promise<Synthesis> {
  synthesis ??= import('../sounds/synthesis').catch((error: unknown) => {
    synthesis = undefined;
    throw error;
  });
  return synthesis;
}

/** Load the sounds after an interaction, so that the first one comes in time. */
export function prepareSounds(): void {
  if (!audible()) return;
  context ??= new AudioContext();
  load().catch(() => undefined); // the game goes on without sounds
}

/** Play a sound. Nothing happens while the sounds are muted and before the first interaction. */
export function play(name: SoundName, { dice = 5, after = 0 }: SoundDetail = {}): void {
  if (!audible() || !touched() || (document.hidden && !CALLS.has(name))) return;
  const asked = performance.now();
  load()
    .then(({ samples }) => {
      if (performance.now() - asked > LATE && !CALLS.has(name)) return;
      context ??= new AudioContext();
      if (context.state === 'suspended') void context.resume();
      const sound = samples(name, context.sampleRate, dice);
      const buffer = new AudioBuffer({ length: sound.length, sampleRate: context.sampleRate });
      buffer.copyToChannel(sound, 0);
      const source = new AudioBufferSourceNode(context, { buffer });
      const loudness = new GainNode(context, { gain: (settings.volume / 100) ** 2 });
      source.connect(loudness).connect(context.destination);
      source.start(context.currentTime + after);
      performance.mark(`sound ${name}`, { detail: { dice, after } }); // shown in recordings of the developer tools
    })
    .catch(() => undefined); // offline before the sounds were loaded: the game goes on without them
}
