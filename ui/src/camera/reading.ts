/** Finds the dice in a picture with the two networks of the dice reader (docs/camera.md). */
import type { Box, FoundDie, Reading } from './dice.ts';
import type { Decoding, Model, Tensor } from './network.ts';
import { mirror, sample, workingPicture, type Picture, type WorkingPicture } from './pictures.ts';

/** Pixels of the working picture in a cell of the detector's result. */
const CELL = 8;
/** The size of a box where the detector says zero. */
const USUAL = 32;
const LEAST_LOG = -2;
const MOST_LOG = 2.5;
const FACES = 6;

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
  model.detector.input.set(working.levels[1]!.data);
  const found = candidates(model.detector.run(), model.decoding);
  const limit = [picture.width * working.scale, picture.height * working.scale] as const;
  const dice = found.map((candidate) => classified(model, working, candidate, limit)).filter((die) => die !== null);
  return { dice, brightness: working.brightness };
}

/** Return the peaks of the detector's scores without those that overlap a better one. */
function candidates({ size, data }: Tensor, { peak, most, overlap }: Decoding): Candidate[] {
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
      const length = (channel: number): number => USUAL * Math.exp(Math.min(MOST_LOG, Math.max(LEAST_LOG, data[channel * plane + cell]!)));
      const x = (column + 0.5 + data[plane + cell]!) * CELL;
      const y = (row + 0.5 + data[2 * plane + cell]!) * CELL;
      found.push({ score, x, y, width: length(3), height: length(4) });
    }
  }
  const best = found.sort((one, other) => other.score - one.score).slice(0, most);
  const kept: Candidate[] = [];
  for (const each of best) if (!kept.some((other) => shared(each, other) > overlap)) kept.push(each);
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

/** Return the part of two boxes that both cover, by the part that any of them covers. */
function shared(one: Candidate, other: Candidate): number {
  const along = (a: number, aLength: number, b: number, bLength: number): number =>
    Math.max(0, Math.min(a + aLength / 2, b + bLength / 2) - Math.max(a - aLength / 2, b - bLength / 2));
  const both = along(one.x, one.width, other.x, other.width) * along(one.y, one.height, other.y, other.height);
  return both / (one.width * one.height + other.width * other.height - both);
}

/** Return the die at a place, or `null` where there is none. `limit`: width and height of the picture. */
function classified(
  { classifier, decoding }: Model,
  { levels }: WorkingPicture,
  { score, x, y, width, height }: Candidate,
  [right, bottom]: readonly [number, number],
): FoundDie | null {
  const logits = new Float64Array(FACES + 1);
  sample(levels, [x, y], decoding.crop * Math.max(width, height), classifier.size, classifier.input);
  for (const mirrored of decoding.mirrored ? [false, true] : [false]) {
    if (mirrored) mirror(classifier.input, classifier.size);
    classifier.run().data.forEach((logit, kind) => (logits[kind]! += decoding.mirrored ? logit / 2 : logit));
  }
  const greatest = Math.max(...logits);
  const shares = logits.map((logit) => Math.exp(logit - greatest));
  const sum = shares.reduce((all, share) => all + share, 0);
  if (shares[0]! / sum > decoding.none) return null;
  const face = shares.indexOf(Math.max(...shares.subarray(1)), 1);
  const confidence = shares[face]! / sum;
  const part = (at: number, end: number): number => Math.min(1, Math.max(0, at / end));
  const box: Box = [part(x - width / 2, right), part(y - height / 2, bottom), part(x + width / 2, right), part(y + height / 2, bottom)];
  return { face, box, confidence, doubtful: confidence < decoding.sure || score < decoding.sure_score };
}
