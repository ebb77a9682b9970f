/** Finds the dice in a picture with the two networks of the dice reader (docs/camera.md). */
import type { Box, FoundDie, Reading } from './dice.ts';
import type { Decoding, Model, Tensor } from './network.ts';
import { mirror, resample, sample, turn, WORKING_SIZE, workingPicture, type Picture, type WorkingPicture } from './pictures.ts';

/** Pixels of the detector's input in a cell of its result. */
const CELL = 4;
/** The size of a box where the detector says zero, in pixels of its input. */
const USUAL = 16;
const LEAST_LOG = -2;
const MOST_LOG = 2.5;
const FACES = 6;
/** Quarter turns in which a place is looked at, beside the picture itself. */
const TURNS = 3;

/** A place where a die may lie, in pixels of the working picture. */
interface Candidate {
  score: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Return the dice of a picture, the most certain place first. */
export function read(model: Model, picture: Picture): Reading {
  const working = workingPicture(picture);
  const { detector, decoding } = model;
  resample(working.levels[0]!, [WORKING_SIZE / 2, WORKING_SIZE / 2], WORKING_SIZE, detector.size, detector.input);
  const found = candidates(detector.run(), WORKING_SIZE / detector.size, decoding);
  const limit = [picture.width * working.scale, picture.height * working.scale] as const;
  const { chances, isFromAbove } = faceChances(model, working, found);
  const sure = isFromAbove ? decoding.sure : decoding.sure_slanted;
  const kept: Candidate[] = [];
  const dice: FoundDie[] = [];
  for (const [at, candidate] of found.entries()) {
    // At a slant a box stays if the detector's die is at least as probable as the classifier's “no die” (docs/decisions/0053).
    const none = isFromAbove ? decoding.none : candidate.score;
    if (chances[at]![0]! > none || kept.some((other) => inside(candidate, other) > decoding.inside)) continue;
    kept.push(candidate);
    dice.push(die(candidate, chances[at]!, sure, decoding.sure_score, limit));
  }
  return { dice, brightness: working.brightness };
}

/**
 * Return the peaks of the detector's scores without those that overlap a better one. `scale`: pixels
 * of the working picture for one of the detector's input.
 */
function candidates({ size, data }: Tensor, scale: number, { peak, most, overlap }: Decoding): Candidate[] {
  const plane = size * size;
  const at = (row: number, column: number): number =>
    row < 0 || column < 0 || row >= size || column >= size ? -Infinity : data[row * size + column]!;
  const found: Candidate[] = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const cell = row * size + column;
      const logit = data[cell]!;
      const score = 1 / (1 + Math.exp(-logit));
      if (score < peak || !isPeak(at, row, column)) continue;
      const length = (channel: number): number => USUAL * scale * Math.exp(Math.min(MOST_LOG, Math.max(LEAST_LOG, data[channel * plane + cell]!)));
      const x = (column + 0.5 + data[plane + cell]!) * CELL * scale;
      const y = (row + 0.5 + data[2 * plane + cell]!) * CELL * scale;
      found.push({ score, x, y, width: length(3), height: length(4) });
    }
  }
  const best = found.sort((one, other) => other.score - one.score).slice(0, most);
  const kept: Candidate[] = [];
  for (const each of best) if (!kept.some((other) => overlapOf(each, other) > overlap)) kept.push(each);
  return kept;
}

/** Return whether no neighbour has a greater value, and none before it the same. */
function isPeak(at: (row: number, column: number) => number, row: number, column: number): boolean {
  const own = at(row, column);
  for (let down = -1; down <= 1; down++) {
    for (let right = -1; right <= 1; right++) {
      const other = at(row + down, column + right);
      const isBefore = down < 0 || (down === 0 && right < 0);
      if (other > own || (isBefore && other === own)) return false;
    }
  }
  return true;
}

const area = ({ width, height }: Candidate): number => width * height;

/** Return the area that two boxes share, by the area that any of them covers. */
function overlapOf(one: Candidate, other: Candidate): number {
  const both = shared(one, other);
  return both / (area(one) + area(other) - both);
}

/** Return the part of the smaller of two boxes that lies in the other one, as a pip lies in its die. */
const inside = (one: Candidate, other: Candidate): number => shared(one, other) / Math.min(area(one), area(other));

/** Return the area that two boxes share. */
function shared(one: Candidate, other: Candidate): number {
  const along = (a: number, aLength: number, b: number, bLength: number): number =>
    Math.max(0, Math.min(a + aLength / 2, b + bLength / 2) - Math.max(a - aLength / 2, b - bLength / 2));
  return along(one.x, one.width, other.x, other.width) * along(one.y, one.height, other.y, other.height);
}

/**
 * Return the probabilities of no die and of each face at these places, the surest one first, and
 * whether the picture was taken from above. Each place is looked at as it is and, unless one class
 * is settled then, in a mirror. A picture in which clear dice show the same face after quarter turns
 * was taken from above: there unsettled dice are looked at in all quarter turns, too, a little nearer.
 */
function faceChances(
  { classifier, decoding }: Model,
  { levels }: WorkingPicture,
  found: readonly Candidate[],
): { chances: Float64Array[]; isFromAbove: boolean } {
  const look = (logits: Float64Array): void => classifier.run().data.forEach((logit, kind) => (logits[kind]! += logit));
  const show = ({ x, y, width, height }: Candidate, crop: number): void =>
    sample(levels, [x, y], crop * Math.max(width, height), classifier.size, classifier.input);
  /** Return the logits of each quarter turn of a place. */
  const turned = (candidate: Candidate, crop: number): Float64Array[] => {
    show(candidate, crop);
    return Array.from({ length: TURNS }, () => {
      const logits = new Float64Array(FACES + 1);
      turn(classifier.input, classifier.size);
      look(logits);
      return logits;
    });
  };
  const sums = found.map(() => new Float64Array(FACES + 1));
  const chances = found.map((candidate, at) => {
    show(candidate, decoding.crop);
    look(sums[at]!);
    const first = softmax(sums[at]!);
    if (Math.max(...first) >= decoding.settled) return first;
    mirror(classifier.input, classifier.size);
    look(sums[at]!);
    return softmax(sums[at]!.map((sum) => sum / 2));
  });
  const confidence = (at: number): number => chances[at]![face(chances[at]!)]!;
  const tested = [...found.keys()].filter((at) => confidence(at) >= decoding.clear).slice(0, decoding.tested);
  const alike = tested.flatMap((at) => turned(found[at]!, decoding.crop).map((logits) => face(logits) === face(chances[at]!)));
  const isFromAbove = alike.length > 0 && alike.filter(Boolean).length >= decoding.alike * alike.length;
  if (!isFromAbove) return { chances, isFromAbove };
  const again = found.map((candidate, at) => {
    if (confidence(at) >= decoding.settled || chances[at]![0]! > decoding.none) return chances[at]!;
    const looks = [sums[at]!, ...turned(candidate, decoding.crop_turned)];
    return softmax(sums[at]!.map((_, kind) => looks.reduce((sum, logits) => sum + logits[kind]!, 0) / (TURNS + 2)));
  });
  return { chances: again, isFromAbove };
}

/** Return the probabilities that belong to logits. */
function softmax(logits: Float64Array): Float64Array {
  const greatest = Math.max(...logits);
  const shares = logits.map((logit) => Math.exp(logit - greatest));
  const sum = shares.reduce((all, share) => all + share, 0);
  return shares.map((share) => share / sum);
}

/** Return the most probable face. */
const face = (chances: Float64Array): number => chances.indexOf(Math.max(...chances.subarray(1)), 1);

/**
 * Return the die at a place, doubtful below the confidence `sure` or where the detector gives less
 * than `sureScore`. `limit`: width and height of the picture.
 */
function die(
  { score, x, y, width, height }: Candidate,
  chances: Float64Array,
  sure: number,
  sureScore: number,
  [right, bottom]: readonly [number, number],
): FoundDie {
  const confidence = chances[face(chances)]!;
  const part = (at: number, end: number): number => Math.min(1, Math.max(0, at / end));
  const box: Box = [part(x - width / 2, right), part(y - height / 2, bottom), part(x + width / 2, right), part(y + height / 2, bottom)];
  return { face: face(chances), box, confidence, doubtful: confidence < sure || score < sureScore };
}
