/**
 * Synthesis of the sounds of a table. Struck things are modelled by their modes: resonators that a
 * short contact excites. Strokes of a pen are filtered noise. Each call varies a little, as real
 * dice do.
 */
import type { SoundName } from '../lib/sounds';

/** Frequency in Hz, time in seconds in which the mode fades by 60 dB, and amplitude. */
type Mode = readonly [frequency: number, fading: number, amplitude: number];
type Random = () => number;

/** Modes of the things on a table. */
const FELT: readonly Mode[] = [
  [235, 0.06, 0.5],
  [460, 0.05, 0.7],
  [830, 0.032, 0.6],
  [1480, 0.02, 0.4],
];
const DIE: readonly Mode[] = [
  [2600, 0.02, 0.5],
  [3900, 0.016, 0.45],
  [6100, 0.011, 0.3],
];
const CUP: readonly Mode[] = [
  [520, 0.055, 0.5],
  [960, 0.05, 0.6],
  [1620, 0.035, 0.5],
  [2700, 0.02, 0.3],
];
const BOARD: readonly Mode[] = [
  [260, 0.13, 0.5],
  [540, 0.11, 0.8],
  [980, 0.08, 0.7],
  [1640, 0.05, 0.5],
  [2750, 0.03, 0.3],
];
const TABLE_TOP: readonly Mode[] = [
  [165, 0.14, 0.7],
  [330, 0.11, 0.8],
  [610, 0.07, 0.5],
  [1150, 0.04, 0.3],
];

/** Seconds of a contact: short contacts excite the high modes, long ones only the low modes. */
const HARD = 0.00012;
const FIRM = 0.0004;
const SOFT = 0.0008;
const MALLET = 0.0012;

/** Samples of one channel, to which sounds are added. */
class Track {
  readonly samples: Float32Array<ArrayBuffer>;
  readonly rate: number;
  readonly random: Random;

  constructor(seconds: number, rate: number, random: Random) {
    this.samples = new Float32Array(Math.ceil(seconds * rate));
    this.rate = rate;
    this.random = random;
  }

  /** Return a random value between two limits. */
  between(low: number, high: number): number {
    return low + (high - low) * this.random();
  }

  /** Strike a thing with these modes. `pitch` scales the frequencies. */
  strike(at: number, modes: readonly Mode[], strength: number, contact: number, pitch = 1): void {
    const first = Math.round(at * this.rate);
    const width = Math.max(1, Math.round(contact * this.rate));
    for (const [frequency, fading, amplitude] of modes) {
      const angle = (2 * Math.PI * frequency * pitch) / this.rate;
      if (angle > 2.8) continue;
      const radius = 10 ** (-3 / (fading * this.rate));
      const [one, two] = [2 * radius * Math.cos(angle), -radius * radius];
      // What is heard is the velocity of the surface: the difference of two samples.
      const force = (strength * amplitude * Math.sin(angle) * Math.PI) / (4 * width * Math.sin(angle / 2));
      const last = Math.min(this.samples.length, first + width + Math.round(fading * this.rate));
      let [before, beforeThat] = [0, 0];
      for (let place = first; place < last; place++) {
        const pushed = place - first < width ? force * Math.sin((Math.PI * (place - first + 0.5)) / width) : 0;
        const now = pushed + one * before + two * beforeThat;
        this.samples[place]! += now - before;
        beforeThat = before;
        before = now;
      }
    }
  }

  /**
   * Add noise around a frequency that glides from `low` to `high`. `rough` is the share of the
   * loudness that varies at random, as a rough surface makes it.
   */
  rub(at: number, seconds: number, low: number, high: number, strength: number, rough: number): void {
    const first = Math.round(at * this.rate);
    const count = Math.round(seconds * this.rate);
    const grain = Math.round(this.rate / 260);
    const band = [0, 0];
    const rest = [0, 0];
    let [from, to] = [1, 1];
    for (let step = 0; step < count && first + step < this.samples.length; step++) {
      const share = step / count;
      if (step % grain === 0) [from, to] = [to, 1 - rough * this.random()];
      const pressure = from + ((to - from) * (step % grain)) / grain;
      const tuning = 2 * Math.sin((Math.PI * (low + (high - low) * share)) / this.rate);
      let sample = this.between(-1, 1);
      for (const stage of [0, 1] as const) {
        // a state-variable filter, of which the band-pass output is used
        rest[stage]! += tuning * band[stage]!;
        band[stage]! += tuning * (sample - rest[stage]! - 0.9 * band[stage]!);
        sample = band[stage]!;
      }
      this.samples[first + step]! += strength * Math.sin(Math.PI * share) ** 0.7 * pressure * sample;
    }
  }

  /** Add a struck wooden bar, as of a marimba. */
  note(at: number, frequency: number, strength: number, fading = 0.5): void {
    const bar: readonly Mode[] = [
      [frequency, fading, 1],
      [frequency * 3.93, fading * 0.3, 0.22],
      [frequency * 9.2, fading * 0.12, 0.08],
    ];
    this.strike(at, bar, strength, MALLET);
    this.strike(at, TABLE_TOP, strength * 0.05, MALLET, 2);
  }

  /** Add the first reflections of a small room, scale to a peak, and fade the end out. */
  finish(peak: number): Float32Array<ArrayBuffer> {
    const { samples, rate } = this;
    for (const [delay, share] of [
      [0.0071, 0.16],
      [0.0127, 0.12],
      [0.0193, 0.08],
    ] as const) {
      const back = Math.round(delay * rate);
      for (let place = samples.length - 1; place >= back; place--) samples[place]! += share * samples[place - back]!;
    }
    const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-9);
    const end = Math.round(0.03 * rate);
    samples.forEach((sample, place) => {
      samples[place] = ((sample * peak) / loudest) * Math.min(1, (samples.length - 1 - place) / end);
    });
    return samples;
  }
}

/** Add a die that falls on the felt and bounces. */
function addFall(track: Track, at: number, strength: number): void {
  const pitch = track.between(0.9, 1.12);
  let [time, force, gap] = [at, strength, track.between(0.075, 0.11)];
  for (let bounce = 0; bounce < 4; bounce++) {
    track.strike(time, FELT, force, SOFT, pitch);
    track.strike(time, DIE, 1.1 * force ** 1.3, HARD, pitch);
    track.rub(time, 0.02, 900, 700, 0.5 * force, 0.3);
    time += gap;
    gap *= track.between(0.5, 0.65);
    force *= track.between(0.4, 0.55);
  }
}

/** Add a throw of several dice. */
function dice(track: Track, count: number): void {
  for (let die = 0; die < count; die++) {
    const at = 0.01 + (die ? track.between(0.015, 0.05 + 0.04 * count) : 0);
    addFall(track, at, track.between(0.7, 1));
    if (die) track.strike(at + track.between(0.02, 0.12), DIE, track.between(0.25, 0.5), HARD, track.between(1, 1.25)); // die against die
  }
}

/** Add three shakes of the cup with some dice in it. */
function cup(track: Track, count: number): void {
  for (let shake = 0; shake < 3; shake++) {
    for (let hit = 0; hit < 2 + count; hit++) {
      const at = 0.01 + 0.115 * shake + 0.075 * track.random() ** 1.6;
      const force = track.between(0.25, 0.8) * (shake === 0 ? 0.6 : 1);
      track.strike(at, CUP, force, FIRM, track.between(0.92, 1.08));
      track.strike(at, DIE, 0.4 * force, HARD, track.between(0.9, 1.2));
    }
  }
}

/** Add a token that is put down on the board. */
function token(track: Track): void {
  const pitch = track.between(0.96, 1.04);
  track.strike(0.005, BOARD, 1, FIRM, pitch);
  track.strike(0.005, DIE, 0.25, HARD, 0.7);
  track.strike(track.between(0.05, 0.06), BOARD, 0.22, FIRM, pitch);
}

/** Add a token that is pushed off the board. */
function remove(track: Track): void {
  track.rub(0.005, 0.19, 700, 1700, 1.2, 0.4);
  track.strike(0.2, BOARD, 0.55, FIRM, 1.45);
}

/** Add a number that is written with a pen. */
function pen(track: Track): void {
  const first = track.between(0.08, 0.11);
  track.strike(0.005, TABLE_TOP, 0.1, FIRM, 2.4);
  track.rub(0.005, first, 2600, 3600, 1, 0.7);
  track.rub(first + 0.06, track.between(0.12, 0.15), 3500, 2500, 0.9, 0.7);
}

/** Add a cell that is struck out with a pen. */
function strike(track: Track): void {
  track.rub(0.005, 0.26, 1300, 3300, 1.2, 0.5);
  track.rub(0.005, 0.26, 500, 700, 0.5, 0.5);
  track.strike(0.26, TABLE_TOP, 0.5, FIRM, 2);
}

/** Add two knocks and a note: the signal of a Défi. */
function declare(track: Track): void {
  track.strike(0.005, TABLE_TOP, 0.85, FIRM, 1.2);
  track.strike(0.17, TABLE_TOP, 1, FIRM, 1.2);
  track.note(0.19, 392, 0.4, 0.6);
}

/** Seconds and loudest sample of each sound, and how it is made. */
export const SOUNDS: Record<SoundName, readonly [seconds: number, peak: number, make: (track: Track, count: number) => void]> = {
  cup: [0.45, 0.4, cup],
  dice: [0.75, 0.65, dice],
  keep: [0.12, 0.35, (track) => track.strike(0.003, [...DIE, ...CUP], 1, FIRM / 2, track.between(0.9, 1))],
  declare: [0.8, 0.6, declare],
  token: [0.32, 0.5, token],
  remove: [0.4, 0.4, remove],
  pen: [0.34, 0.2, pen],
  strike: [0.42, 0.24, strike],
  line: [0.7, 0.27, (track) => [784, 988, 1175].forEach((tone, place) => track.note(0.005 + 0.065 * place, tone, 1, 0.4))],
  bonus: [0.75, 0.2, (track) => [1047, 1319, 1568, 2093].forEach((tone, place) => track.note(0.005 + 0.09 * place, tone, 1, 0.4))],
  turn: [0.7, 0.24, (track) => [587, 880].forEach((tone, place) => track.note(0.005 + 0.14 * place, tone, 1))],
  win: [1, 0.3, (track) => [523, 659, 784, 1047].forEach((tone, place) => track.note(0.005 + 0.13 * place, tone, 1, 0.7))],
  loss: [1, 0.34, (track) => [330, 294, 220].forEach((tone, place) => track.note(0.005 + 0.2 * place, tone, 1, 0.6))],
  draw: [0.8, 0.27, (track) => [440, 440].forEach((tone, place) => track.note(0.005 + 0.2 * place, tone, 1))],
};

/** Return the samples of a sound, between -1 and 1. `count` is the number of dice. */
export function samples(name: SoundName, rate: number, count: number, random: Random = Math.random): Float32Array<ArrayBuffer> {
  const [seconds, peak, make] = SOUNDS[name];
  const track = new Track(seconds, rate, random);
  make(track, Math.min(Math.max(count, 1), 5));
  return track.finish(peak);
}
