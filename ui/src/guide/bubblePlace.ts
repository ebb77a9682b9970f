/** Where the sentence of a step lies: beside what it is about, and never on it where there is room. */

/** Pixels between the sentence, the highlighted place and the edges of the window. */
const GAP = 10;

interface Size {
  width: number;
  height: number;
}
/** The window below the header. */
export interface Room {
  top: number;
  bottom: number;
  width: number;
}
interface Corner {
  left: number;
  top: number;
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));

/**
 * Return the top left corner of the sentence. `about`: what it must not cover, the widest first;
 * the first one with room beside it counts. `rooms`: the parts of the window that it may lie in,
 * the preferred one first.
 */
export function bubblePlace(about: readonly DOMRect[], size: Size, rooms: readonly Room[]): Corner {
  for (const room of rooms) {
    for (const place of about) {
      const found = beside(place, size, room);
      if (found) return found;
    }
  }
  const { width, bottom } = rooms.at(-1)!;
  return { left: (width - size.width) / 2, top: bottom - size.height - GAP / 2 };
}

/** Return the corner of a sentence below, above, right or left of a place; `null` without room. */
function beside(place: DOMRect, { width, height }: Size, room: Room): Corner | null {
  const [least, lowest] = [room.top + GAP / 2, room.bottom - height - GAP / 2];
  const rightmost = room.width - width - GAP / 2;
  const left = within(place.left + place.width / 2 - width / 2, GAP / 2, rightmost);
  const isAtHand = place.bottom > 0 && place.top < room.bottom && place.right > 0 && place.left < room.width;
  if (!isAtHand || lowest < least) return null;
  if (place.bottom + GAP <= lowest) return { left, top: Math.max(place.bottom + GAP, least) }; // the place may be in the header
  if (place.top - GAP - height >= least) return { left, top: place.top - GAP - height };
  const top = within(place.top + place.height / 2 - height / 2, least, lowest);
  if (place.right + GAP <= rightmost) return { left: place.right + GAP, top };
  if (place.left - GAP - width >= GAP / 2) return { left: Math.min(place.left - GAP - width, rightmost), top };
  return null;
}
