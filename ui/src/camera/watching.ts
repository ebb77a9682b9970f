/**
 * Tells from successive readings of the camera's picture when the dice lie still. The clock is
 * handed in with each reading, and no browser is needed.
 */
import { judge, type Box, type Expected, type FoundDie, type Reading } from './dice.ts';

/** `dark`: nothing can be read; `empty`: no die is in the picture; `moving`: dice or the camera move. */
export type Sight = 'dark' | 'empty' | 'few' | 'many' | 'moving' | 'still';

export interface Seen {
  sight: Sight;
  /** The dice of the last reading, in the same order as long as they lie still. */
  dice: readonly FoundDie[];
  /** The number of dice for which the sight was told. */
  count: number;
}

/** Mean brightness below which a picture is too dark. */
export const DARK = 24;
/** Milliseconds for which all dice have to lie still. */
export const STILL = 350;
/** The same where the kept dice are not in the picture: a hand may hide other dice. */
export const STILL_WITHOUT_KEPT = 1000;
/** Milliseconds after which another sight that is not `still` is reported. */
export const STEADY = 400;
/** Part of its size by which a die may move between two readings while it lies still: hands tremble. */
const TREMBLE = 0.5;
/** Readings in which the faces of a die are compared. */
const REMEMBERED = 3;

interface Track {
  die: FoundDie;
  /** The latest readings of this die, the newest last. */
  readings: FoundDie[];
}

/** Return what a single picture shows, in which nothing moves. */
export function sightOf({ dice, brightness }: Reading, expected: Expected): Exclude<Sight, 'moving'> {
  if (brightness < DARK) return 'dark';
  if (dice.length === 0) return 'empty';
  const verdict = judge(dice, expected);
  return verdict === 'few' || verdict === 'many' ? verdict : 'still';
}

export class Watcher {
  #expected: Expected;
  #tracks: Track[] = [];
  #since = 0;
  #missed = false;
  #told: Sight = 'empty';
  #count = 0;
  /** A sight that was seen and not told yet, and the time of its first reading. */
  #next: { sight: Sight; since: number } | null = null;

  constructor(expected: Expected) {
    this.#expected = expected;
  }

  /**
   * Return what is to be told after a reading at a time in milliseconds. Dice that lie still do so
   * until two readings in a row show them elsewhere.
   */
  see(reading: Reading, now: number): Seen {
    const followed = reading.brightness < DARK ? null : followedBy(this.#tracks, reading.dice);
    if (followed) this.#tracks = followed;
    else if (this.#told !== 'still' || this.#missed) {
      this.#tracks = reading.dice.map((die) => ({ die, readings: [die] }));
      this.#since = now;
    }
    this.#missed = !followed;
    const sight = this.#sightOf(reading, now);
    this.#tell(sight, now);
    const dice = this.#tracks.map(({ die }) => die);
    if (sight === this.#told) this.#count = dice.length;
    return { sight: this.#told, dice, count: this.#count };
  }

  #sightOf({ brightness }: Reading, now: number): Sight {
    const dice = this.#tracks.map(({ die }) => die);
    const sight = sightOf({ dice, brightness }, this.#expected);
    const needed = dice.length < this.#expected.count ? STILL_WITHOUT_KEPT : STILL;
    return (sight === 'still' || sight === 'many') && now - this.#since < needed ? 'moving' : sight;
  }

  /** Tell `still` and its end at once, and any other sight when it lasts: single readings differ. */
  #tell(sight: Sight, now: number): void {
    if (sight === this.#told) this.#next = null;
    else if (sight === 'still' || this.#told === 'still') {
      this.#told = sight;
      this.#next = null;
    } else if (this.#next?.sight !== sight) this.#next = { sight, since: now };
    else if (now - this.#next.since >= STEADY) {
      this.#told = sight;
      this.#next = null;
    }
  }
}

/** Return the tracks with the dice of the next reading, or `null` where a die moved, came or went. */
function followedBy(tracks: readonly Track[], dice: readonly FoundDie[]): Track[] | null {
  if (tracks.length !== dice.length) return null;
  const left = new Set(dice);
  const found: Track[] = [];
  for (const { die: before, readings } of tracks) {
    const die = nearest(before.box, left);
    if (!die || distance(before.box, die.box) > TREMBLE * sizeOf(before.box)) return null;
    left.delete(die);
    const compared = [...readings, die].slice(-REMEMBERED);
    found.push({ die: agreed(compared), readings: compared });
  }
  return found;
}

/** Return a die as its latest readings show it: the most confident face, doubtful where they differ. */
function agreed(readings: readonly FoundDie[]): FoundDie {
  const last = readings.at(-1)!;
  const best = readings.reduce((most, each) => (each.confidence > most.confidence ? each : most));
  return { ...last, face: best.face, doubtful: last.doubtful || readings.some(({ face }) => face !== best.face) };
}

const sizeOf = ([left, top, right, bottom]: Box): number => Math.max(right - left, bottom - top);
const distance = (one: Box, other: Box): number =>
  Math.hypot(one[0] + one[2] - other[0] - other[2], one[1] + one[3] - other[1] - other[3]) / 2;

function nearest(box: Box, dice: Iterable<FoundDie>): FoundDie | null {
  let found: FoundDie | null = null;
  for (const die of dice) if (!found || distance(box, die.box) < distance(box, found.box)) found = die;
  return found;
}
