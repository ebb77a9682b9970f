import type { Sitter } from './choices';

/**
 * Return who sits where in a game on this device. Nobody comes by link, and only some `levels` play
 * here: a computer at `level` takes these seats, and the user the first one.
 */
export const sittersHere = (sitters: readonly Sitter[], levels: readonly string[], level: string): Sitter[] =>
  sitters.map((sitter, seat) => (sitter === 'here' || levels.includes(sitter) ? sitter : seat ? level : 'here'));
