/** Where the sentence of a step lies: where it covers least of what it is about. */

/** Pixels between the sentence, the places that it leaves free and the edges of the window. */
const GAP = 8;
/** The cost of one pixel of distance between the sentence and its highlighted places. */
const FAR = 10;
/** The cost that moving the sentence must save: it stays where it is while that is nearly as good. */
const MOVING = 6000;

/** A place that the sentence should not cover, and the cost of each of its pixels that it covers. */
export interface Cost {
  place: DOMRect;
  weight: number;
}
export interface Size {
  width: number;
  height: number;
}
/** The window below the header. */
export interface Room {
  top: number;
  bottom: number;
  width: number;
}
export interface Placed {
  left: number;
  top: number;
  /** The index of the size. */
  size: number;
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
const middle = (from: number, length: number): number => from + length / 2;

/** Return the length that two intervals share. */
const shared = (from: number, to: number, start: number, end: number): number => Math.max(0, Math.min(to, end) - Math.max(from, start));

/**
 * Return the cheapest place of the sentence in one of its sizes. The first of `costs` is the place
 * that it lies near. `before`: its last place, which it keeps if no other place is much cheaper.
 */
export function bubblePlace(costs: readonly Cost[], sizes: readonly Size[], room: Room, before: Placed | null): Placed {
  let best: Placed = { left: GAP, top: room.top + GAP, size: 0 };
  let least = Infinity;
  for (const [size, { width, height }] of sizes.entries()) {
    const limitX = (x: number): number => Math.round(within(x, Math.min(GAP, (room.width - width) / 2), Math.max(room.width - width - GAP, 0)));
    const limitY = (y: number): number => Math.round(within(y, room.top + GAP / 2, Math.max(room.bottom - height - GAP / 2, room.top)));
    const old = before?.size === size ? { left: limitX(before.left), top: limitY(before.top) } : null;
    const lefts = costs.flatMap(({ place }) => [place.left - width - GAP, middle(place.left, place.width - width), place.right + GAP]);
    const tops = costs.flatMap(({ place }) => [place.top - height - GAP, middle(place.top, place.height - height), place.bottom + GAP]);
    for (const left of new Set([...lefts, 0, room.width, old?.left ?? 0].map(limitX))) {
      for (const top of new Set([...tops, 0, room.bottom, old?.top ?? 0].map(limitY))) {
        const stays = left === old?.left && top === old.top;
        const cost = costOf(left, top, width, height, costs) - (stays ? MOVING : 0);
        if (cost < least) [best, least] = [{ left, top, size }, cost];
      }
    }
  }
  return best;
}

/** Return the cost of a place of the sentence. */
function costOf(left: number, top: number, width: number, height: number, costs: readonly Cost[]): number {
  let sum = 0;
  for (const { place, weight } of costs) {
    sum += weight * shared(left, left + width, place.left, place.right) * shared(top, top + height, place.top, place.bottom);
  }
  const near = costs[0]?.place;
  if (!near) return sum;
  const x = middle(left, width) - middle(near.left, near.width);
  return sum + FAR * Math.hypot(x, middle(top, height) - middle(near.top, near.height));
}
