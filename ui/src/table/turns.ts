/** Whose turn it is. */
import type { View } from '../lib/protocol';

const WAITS = ['throw', 'dice', 'die', 'lot', 'action', 'replacement'];

/** Return whether the game waits for the user. */
export const waitsForUser = ({ result, demand, you }: View): boolean =>
  !result && WAITS.includes(demand.what) && demand.seats.some((seat) => you.includes(seat));

/** Return whether the game begins to wait for the user. */
export const isCalled = (before: View, now: View): boolean =>
  waitsForUser(now) && (!waitsForUser(before) || now.turn?.number !== before.turn?.number);
