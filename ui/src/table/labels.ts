/** Labels of seats, levels, figures, columns and cells. */
import { isPreparing } from '../lib/games.svelte';
import { has, t, type Key } from '../lib/messages.svelte';
import { splitColumn, splitPlace } from '../lib/notation';
import type { SeenSeat, View } from '../lib/protocol';

/** Return a name in Unicode isolates, so that it keeps its direction within a sentence. */
export const isolate = (name: string): string => `\u2068${name}\u2069`;

/** Return the name of a level. */
export const levelName = (level: string): string => {
  const key = `level_${level}`;
  return has(key) ? t(key) : level;
};

/** Return the name of a level of a game in a list to choose from: it says if the level is not ready. */
export const levelOption = (game: string, level: string): string =>
  isPreparing(game, level) ? t('ui_start_level_preparing', { level: levelName(level) }) : levelName(level);

/**
 * Return the name of a seat. A computer is named by its level, with a number where several have the
 * same. Where it plays on for a person, the name of the person is marked.
 */
export function nameOf(seat: SeenSeat | undefined): string {
  if (!seat) return '?';
  if (seat.kind === 'free') return seat.called || t('ui_table_seat', { number: seat.seat + 1 });
  if (seat.kind === 'person') return seat.name;
  const level = levelOf(seat);
  return level ? t('ui_table_computer', { level }) : t('ui_table_played_by_computer', { name: seat.name });
}

/** Return the level of a computer, with its number; empty for people and where it plays on for a person. */
export function levelOf(seat: Pick<SeenSeat, 'kind' | 'name' | 'level'>): string {
  const count = /^(\S+)(?: (\d+))?$/.exec(seat.name);
  if (seat.kind !== 'computer' || count?.[1] !== seat.level) return '';
  const level = levelName(seat.level);
  return count[2] ? `${level} ${count[2]}` : level;
}

/** Return a text behind its label, with the colon of the language. */
export const labelled = (label: string, text: string): string => `${t('ui_label', { label })} ${text}`;

/** Return parts of a sentence with the semicolon of the language between them. */
export const listed = (parts: readonly string[]): string => parts.join(`${t('ui_semicolon')} `);

/** Return a name without the number at its end, and the number: Club 12. */
export function splitNumber(name: string): { start: string; number: string } {
  const number = /(?<=\S )\d+$/.exec(name)?.[0] ?? '';
  return { start: number ? name.slice(0, -number.length - 1) : name, number };
}

/** Return the name of a seat where room is short: of a computer its level alone. */
export const shortNameOf = (seat: SeenSeat | undefined): string => (seat && levelOf(seat)) || nameOf(seat);

/** Return whether a person who comes by the link to join finds a free seat. */
export const isJoinable = (view: View): boolean =>
  !view.result && (view.demand.what === 'seats' || (view.vacancy !== null && view.seats[view.vacancy.seat]?.kind === 'free'));

/** Return the name of a seat for use in a sentence. */
export const called = (view: View, seat: number | null | undefined): string => isolate(nameOf(view.seats[seat ?? -1]));

/** Return the names of several seats as a list. */
export const calledAll = (view: View, seats: readonly number[]): string =>
  new Intl.ListFormat(document.documentElement.lang, { type: 'conjunction' }).format(seats.map((seat) => called(view, seat)));

/** Return the seat of a turn. */
export const seatOfTurn = (view: View, turn: number): number => {
  const players = view.order.length || view.seats.length;
  return view.order[(turn - 1) % players] ?? (turn - 1) % players;
};

const FIGURES: Record<string, Key> = {
  '1': 'figure_ones',
  '2': 'figure_twos',
  '3': 'figure_threes',
  '4': 'figure_fours',
  '5': 'figure_fives',
  '6': 'figure_sixes',
  Full: 'figure_full',
  Carré: 'figure_carre',
  Yam: 'figure_yam',
  Suite: 'figure_suite',
  '≤8': 'figure_at_most_8',
  Sec: 'figure_sec',
  Défi: 'figure_defi',
};

/** Return the figure on a square of the board. */
export const figureOn = (view: View, square: string): string =>
  view.board?.squares.find((each) => each.square === square)?.figure ?? '';

/** Return the name of a figure with its explanation. */
export const figureName = (figure: string): string => (FIGURES[figure] ? t(FIGURES[figure]) : figure);

const COLUMNS: Record<string, Key> = { d: 'column_down', u: 'column_up', f: 'column_free' };
const SPOKEN: Record<string, Key> = { d: 'ui_table_column_down', u: 'ui_table_column_up', f: 'column_free' };
const ROWS: Record<string, Key> = {
  H: 'ui_table_row_high',
  T: 'ui_table_row_low',
  FH: 'ui_table_row_full_house',
  ST: 'ui_table_row_straight',
  Y: 'ui_table_row_yamm',
};

/** Return the heading of a column of the sheet: ↓1. */
export function columnName(column: string): string {
  const { kind, number } = splitColumn(column);
  return t(COLUMNS[kind] ?? 'column_free', { number });
}

/** Return the name of a column for a screen reader, without arrows. */
export function columnSpoken(column: string): string {
  const { kind, number } = splitColumn(column);
  return t(SPOKEN[kind] ?? 'column_free', { number });
}

/** Return the name of a cell as on the sheet: ↓1 · FH. */
export function cellName(cell: string): string {
  const { column, row } = splitPlace(cell);
  return `${columnName(column)} · ${row}`;
}

/** Return the name of a cell for a screen reader. */
export function cellSpoken(cell: string): string {
  const { column, row } = splitPlace(cell);
  return t('ui_table_cell', { row: ROWS[row] ? t(ROWS[row]) : row, column: columnSpoken(column) });
}

/** Return the points in a cell of the sheet of this seat now. */
export function pointsIn(view: View, seat: number, cell: string): number | null {
  const { column, row } = splitPlace(cell);
  return view.sheets?.find((sheet) => sheet.seats.includes(seat))?.columns[column]?.[row] ?? null;
}
