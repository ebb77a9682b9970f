/**
 * The level at which a person wins about half of the games. A person who won most of the last games
 * at a level meets the next stronger one; a person who lost most of them, the next weaker one.
 */

/** The level of a first game, where a game has it. */
export const FIRST_LEVEL = 'novice';
/** The games at the level that count, the newest ones. */
const COUNTED = 5;
/** The least number of games before the level changes. */
const ENOUGH = 3;
/** The shares of won games above and below which the level changes. A drawn game is half won. */
const MANY = 0.65;
const FEW = 0.35;

/** A finished game against one computer. */
export interface Played {
  level: string;
  outcome: 'won' | 'drawn' | 'lost';
}

/** Return the level of a first game: that of beginners, or the weakest. */
export const firstLevel = (levels: readonly string[]): string => (levels.includes(FIRST_LEVEL) ? FIRST_LEVEL : (levels[0] ?? ''));

/**
 * Return the level of the next game. `levels`: the levels of the game, the weakest first. `last`:
 * the level of the last game, empty before the first. `played`: finished games, the newest first.
 * `rated`: the level that the server found by the ratings, if it knows one; otherwise the results at
 * the last level decide.
 * Levels below that of beginners are never suggested; a person who chose one stays there.
 */
export function fittingLevel(levels: readonly string[], last: string, played: readonly Played[], rated = ''): string {
  if (!levels.includes(last)) return firstLevel(levels);
  const ladder = levels.slice(Math.max(0, levels.indexOf(FIRST_LEVEL)));
  const other = played.findIndex(({ level }) => level !== last);
  const counted = played.slice(0, other < 0 ? COUNTED : Math.min(other, COUNTED));
  const at = ladder.indexOf(last);
  if (counted.length < ENOUGH || at < 0) return last;
  if (ladder.includes(rated)) return rated;
  const share = counted.reduce((sum, { outcome }) => sum + (outcome === 'won' ? 1 : outcome === 'drawn' ? 0.5 : 0), 0) / counted.length;
  const step = share > MANY ? 1 : share < FEW ? -1 : 0;
  return ladder[at + step] ?? last;
}
