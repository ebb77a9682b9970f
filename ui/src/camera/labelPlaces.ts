/** Where the faces of found dice are shown: beside their dice, and over no other die where they touch. No browser is needed. */
import type { Box } from './dice.ts';

/** Side of a label in CSS pixels. */
const LABEL = 24;
/** Least side of the frame around a die, so that it can be pressed. */
const LEAST_FRAME = 32;
/** How far a label reaches into the frame of its die. */
const INSET = 6;
const ROUNDS = 4;
/** Share of a frame that it has in common with that of the same die in another picture. */
const SAME = 0.5;
/** Directions from the die to its label, the preferred ones first. */
const DIRECTIONS = [
  [0, -1],
  [1, 0],
  [-1, 0],
  [0, 1],
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
] as const;
/** Square pixels that each direction counts more than the one before it. */
const RELUCTANCE = 12;
/** Square pixels by which another direction has to be better before a label moves there. */
const STAYING = 60;
const ON_LABEL = 2;
const OUTSIDE = 4;

interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The frame around a die in CSS pixels, and its label in a direction from it. */
export interface Mark {
  frame: Rectangle;
  label: Rectangle;
  direction: number;
}

/**
 * Return the marks of dice in a picture of this width and height in CSS pixels. Each label stands
 * where it covers least of the other dice and labels, or where it stood among the `earlier` marks if
 * that is about as good: dice that lie still are found a little elsewhere in each picture.
 */
export function marksOf(boxes: readonly Box[], width: number, height: number, earlier: readonly Mark[] = []): Mark[] {
  const dice = boxes.map(([left, top, right, bottom]) =>
    around((width * (left + right)) / 2, (height * (top + bottom)) / 2, width * (right - left), height * (bottom - top)),
  );
  const frames = dice.map((die) =>
    around(die.left + die.width / 2, die.top + die.height / 2, Math.max(LEAST_FRAME, die.width), Math.max(LEAST_FRAME, die.height)),
  );
  const before = frames.map((frame) => earlier.find((mark) => shared(mark.frame, frame) > SAME * area(frame))?.direction);
  const choices = frames.map((frame) => DIRECTIONS.map(([across, down]) => labelAt(frame, across, down)));
  const chosen = before.map((direction) => direction ?? 0);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [die, labels] of choices.entries()) {
      const costs = labels.map((label, direction) => {
        const covered = dice.reduce((sum, other, at) => {
          if (at === die) return sum;
          return sum + shared(label, other) + ON_LABEL * shared(label, choices[at]![chosen[at]!]!);
        }, 0);
        const outside = area(label) - shared(label, { left: 0, top: 0, width, height });
        return covered + OUTSIDE * outside + RELUCTANCE * direction - (direction === before[die] ? STAYING : 0);
      });
      chosen[die] = costs.indexOf(Math.min(...costs));
    }
  }
  return frames.map((frame, die) => ({ frame, label: choices[die]![chosen[die]!]!, direction: chosen[die]! }));
}

const around = (x: number, y: number, width: number, height: number): Rectangle => ({ left: x - width / 2, top: y - height / 2, width, height });

const area = ({ width, height }: Rectangle): number => width * height;

/** Return the label of a frame in a direction. */
function labelAt({ left, top, width, height }: Rectangle, across: number, down: number): Rectangle {
  const away = LABEL / 2 - INSET;
  return around(left + width / 2 + across * (width / 2 + away), top + height / 2 + down * (height / 2 + away), LABEL, LABEL);
}

/** Return the area that two rectangles share. */
function shared(one: Rectangle, other: Rectangle): number {
  const along = (a: number, aLength: number, b: number, bLength: number): number => Math.max(0, Math.min(a + aLength, b + bLength) - Math.max(a, b));
  return along(one.left, one.width, other.left, other.width) * along(one.top, one.height, other.top, other.height);
}
