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

/** Seconds of the audio clock after which a sound comes too late for what is on the screen. */
const LATE = 0.3;
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
  context ??= new AudioContext();
  const player = context;
  if (player.state === 'suspended') void player.resume();
  const begins = player.currentTime + after;
  load()
    .then(({ samples }) => {
      if (player.currentTime > begins + LATE && !CALLS.has(name)) return;
      const sound = samples(name, player.sampleRate, dice);
      const buffer = new AudioBuffer({ length: sound.length, sampleRate: player.sampleRate });
      buffer.copyToChannel(sound, 0);
      const source = new AudioBufferSourceNode(player, { buffer });
      const loudness = new GainNode(player, { gain: (settings.volume / 100) ** 2 });
      source.connect(loudness).connect(player.destination);
      source.start(begins);
      performance.mark(`sound ${name}`, { detail: { dice, after } }); // shown in recordings of the developer tools
    })
    .catch(() => undefined); // offline before the sounds were loaded: the game goes on without them
}
