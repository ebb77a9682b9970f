/** Texts of the sheet: names of rows, and the effects of entries. */
import { t, type Key } from '../lib/messages.svelte';
import { splitColumn, splitPlace } from '../lib/notation';
import type { SeenAction, SeenReach, SeenSheet } from '../lib/protocol';
import { cellSpoken, columnName } from '../table/labels';

/** The rows of sums. */
export const SUBTOTAL = 'ZT';
export const TOTAL = 'total';

/**
 * The effect of writing a result, from the server (docs/protocol.md). The trainer may leave it out.
 */
export interface Entry {
  points?: number;
  struck?: string[];
  upper?: number | null;
  bonus?: number | null;
  next_bonus?: SeenReach | null;
  column_total?: number | null;
  total?: number;
  first_throw_yamm?: number;
}

export const entryOf = (action: SeenAction): Entry => action.effect as Entry;

/** Return whether an entry strikes a second cell. */
export const strikesBoth = (entry: Entry): boolean => (entry.struck?.length ?? 0) > 1;

const ROWS: Record<string, Key> = {
  '1': 'ui_sheet_row_1',
  '2': 'ui_sheet_row_2',
  '3': 'ui_sheet_row_3',
  '4': 'ui_sheet_row_4',
  '5': 'ui_sheet_row_5',
  '6': 'ui_sheet_row_6',
  H: 'ui_table_row_high',
  T: 'ui_table_row_low',
  FH: 'ui_table_row_full_house',
  ST: 'ui_table_row_straight',
  Y: 'ui_table_row_yamm',
};

/** Return the full name of a row. */
export const rowName = (row: string): string => (ROWS[row] ? t(ROWS[row]) : row);

export const pointsText = (count: number): string => t('ui_sheet_points', { count });

/** Return the sum of rows 1 to 6 of a column with its bonus, in words. */
export function sumOf(sum: number, bonus: number | null | undefined, next: SeenReach | null | undefined): string {
  if (bonus !== null && bonus !== undefined) return t('ui_sheet_sum_done', { sum, bonus, subtotal: sum + bonus });
  if (next) return t('ui_sheet_sum_missing', { sum, missing: next.missing, bonus: next.bonus });
  return t('ui_sheet_sum_no_more', { sum });
}

/** Return the effects of an entry besides its points. */
function entryEffects(entry: Entry): string[] {
  const effects: string[] = [];
  if (strikesBoth(entry)) effects.push(t('ui_sheet_would_strike_both'));
  if (entry.upper !== null && entry.upper !== undefined) effects.push(sumOf(entry.upper, entry.bonus, entry.next_bonus));
  if (entry.column_total !== null && entry.column_total !== undefined) {
    effects.push(t('ui_sheet_column_done', { total: entry.column_total }));
  }
  if (entry.first_throw_yamm) effects.push(t('ui_sheet_yamm_extra', { points: entry.first_throw_yamm }));
  return effects;
}

function entryPoints(entry: Entry): string {
  if (entry.points === undefined) return t('ui_sheet_choose');
  return entry.points === 0 && !strikesBoth(entry) ? t('ui_sheet_would_strike') : pointsText(entry.points);
}

/** Return the name of an open cell: place, points, effects. */
export const offerName = (cell: string, entry: Entry): string =>
  t('ui_sheet_offer', { cell: cellSpoken(cell), what: [entryPoints(entry), ...entryEffects(entry)].join(', ') });

/** Return the visible text of an open cell, with the total that would follow. */
export const offerText = (cell: string, entry: Entry): string =>
  entry.total === undefined ? offerName(cell, entry) : `${offerName(cell, entry)}, ${t('ui_sheet_total_after', { total: entry.total })}`;

/** Return the next bonus in short: `15›+60` for 15 missing points and a bonus of 60. */
export const reachText = (next: SeenReach | null | undefined): string => (next ? `${next.missing}›+${next.bonus}` : '');

/** Return the subtotal of a column in words. */
export const subtotalText = (sheet: SeenSheet, column: string): string =>
  sumOf(sheet.upper[column] ?? 0, sheet.bonus[column], sheet.next_bonus[column]);

/** Return what a subtotal or a column total says, in words. */
function sumText(sheet: SeenSheet, column: string, row: string): string {
  const values = { column: columnName(column), sum: sheet.upper[column] ?? 0 };
  if (row === TOTAL) {
    const total = sheet.column_totals[column];
    return total === null || total === undefined ? t('ui_sheet_total_open', values) : t('ui_sheet_total_done', { ...values, total });
  }
  const bonus = sheet.bonus[column];
  const next = sheet.next_bonus[column];
  if (bonus !== null && bonus !== undefined) return t('ui_sheet_bonus_done', { ...values, bonus, subtotal: values.sum + bonus });
  return next ? t('ui_sheet_bonus_missing', { ...values, missing: next.missing, bonus: next.bonus }) : t('ui_sheet_bonus_none', values);
}

/** Return why an empty cell is open or closed. */
function emptyText(sheet: SeenSheet, column: string, row: string): string {
  const next = sheet.next_row[column];
  if (next === null || next === undefined) return t('ui_sheet_open_free');
  if (next === row) return t('ui_sheet_open_next', { column: columnName(column) });
  const direction = splitColumn(column).kind === 'u' ? 'ui_sheet_closed_up' : 'ui_sheet_closed_down';
  return t(direction, { column: columnName(column), next: rowName(next) });
}

/** Return what a place of the sheet means: a result, an empty cell or a sum. */
export function explanation(sheet: SeenSheet, place: string): string {
  const { column, row } = splitPlace(place);
  if (row === SUBTOTAL || row === TOTAL) return sumText(sheet, column, row);
  const written = sheet.columns[column]?.[row];
  if (written === null || written === undefined) return t('ui_sheet_offer', { cell: cellSpoken(place), what: emptyText(sheet, column, row) });
  const what = written ? pointsText(written) : t('ui_sheet_struck');
  return t('ui_sheet_offer', { cell: cellSpoken(place), what: sheet.wet?.cell === place ? `${what}, ${t('ui_sheet_wet')}` : what });
}

export type Mark = 'best' | 'played' | 'last';
const MARKS: Record<Mark, Key> = { best: 'ui_sheet_best', played: 'ui_sheet_played', last: 'ui_sheet_last' };
export const markName = (mark: Mark): string => t(MARKS[mark]);
