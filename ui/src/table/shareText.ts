/** The text of a finished game to share: the game, the result, and a small picture of it. */
import { gameTitle } from '../lib/games.svelte';
import type { SeenBoard, SeenSheet, View } from '../lib/protocol';
import { columnName } from './labels';
import { pointsSentence, verdict } from './outcome';

/** Return a sentence of the page without the isolates around its names. */
const plain = (text: string): string => text.replace(/[\u2068\u2069]/g, '');

/** Return the board as five lines of coloured circles. */
function boardPicture({ squares }: SeenBoard): string[] {
  const signs = squares.map(({ token }) => (token === 'x' ? '🔴' : token === 'o' ? '🔵' : '⚪'));
  return Array.from({ length: 5 }, (_, row) => signs.slice(5 * row, 5 * row + 5).join(''));
}

/** Return the totals of the columns of a sheet, three a line: ↓1 312 · ↓2 255 · ↓3 301. */
function sheetPicture({ column_totals: totals }: SeenSheet): string[] {
  const columns = Object.entries(totals).map(([column, total]) => `${columnName(column)} ${total ?? '–'}`);
  return Array.from({ length: Math.ceil(columns.length / 3) }, (_, line) => columns.slice(3 * line, 3 * line + 3).join(' · '));
}

/**
 * Return the sheet of the user, else of the winner, else the first one; `undefined` in a game
 * without sheets.
 */
export function sharedSheet({ sheets, you, result }: View): SeenSheet | undefined {
  const of = (wanted: readonly number[] = []) => sheets?.find(({ seats }) => seats.some((seat) => wanted.includes(seat)));
  return (you.length === 1 ? of(you) : undefined) ?? of(result?.winners) ?? sheets?.[0];
}

/** Return the game, the verdict and the points as lines for other people. They name the winners. */
export function resultLines(view: View): string[] {
  const asWatcher = { ...view, you: [] };
  const lines = [`Dicecup · ${gameTitle(view.game)}`, verdict(asWatcher), pointsSentence(asWatcher)];
  return lines.filter(Boolean).map(plain);
}

/** Return the result of a view as a text for other people. */
export function shareText(view: View): string {
  const sheet = sharedSheet(view);
  return [...resultLines(view), ...(view.board ? boardPicture(view.board) : sheet ? sheetPicture(sheet) : [])].join('\n');
}
