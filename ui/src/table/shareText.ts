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

/** Return the result of a view as a text for other people. It names the winners. */
export function shareText(view: View): string {
  const asWatcher = { ...view, you: [] };
  const own = view.sheets?.find(({ seats }) => seats.some((seat) => view.you.includes(seat))) ?? view.sheets?.[0];
  const result = `${verdict(asWatcher)} ${pointsSentence(asWatcher)}`;
  const picture = view.board ? boardPicture(view.board) : own ? sheetPicture(own) : [];
  return [`Dicecup · ${gameTitle(view.game)}`, plain(result).trim(), ...picture].join('\n');
}
