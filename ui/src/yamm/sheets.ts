/**
 * The sheets of a view: their owners, the cells that can be written, the results that can be moved.
 */
import { formatCell, parseAction, placeOf, splitColumn, splitPlace } from '../lib/notation';
import type { SeenAction, SeenSheet, View } from '../lib/protocol';
import { t } from '../lib/messages.svelte';
import { cellName, isolate, nameOf, shortNameOf } from '../table/labels';
import { entryOf, pointsText, SUBTOTAL } from './labels';

export type Offers = Record<string, SeenAction>;

/** Return the actions that write a cell, by cell. */
export const writable = (view: View): Offers =>
  Object.fromEntries(
    view.actions.flatMap((each) => {
      const action = parseAction('yamm', each.action);
      return action.kind === 'write' ? [[formatCell(action.cell), each]] : [];
    }),
  ) as Offers;

/** Return the legal corrections, by turn and then by cell. */
export function movable(view: View): Map<number, Offers> {
  const found = new Map<number, Offers>();
  for (const each of view.corrections) {
    const action = parseAction('yamm', each.action);
    if (action.kind === 'correction') found.set(action.turn, { ...found.get(action.turn), [formatCell(action.cell)]: each });
  }
  return found;
}

/** Return the cells that can be written, those that bring the total furthest first. */
export const best = (offers: Offers): { cell: string; offer: SeenAction }[] =>
  Object.entries(offers)
    .map(([cell, offer]) => ({ cell, offer, entry: entryOf(offer) }))
    .sort((one, other) => (other.entry.total ?? 0) - (one.entry.total ?? 0) || (other.entry.points ?? 0) - (one.entry.points ?? 0));

/** Return the first of all cells that are alike: row, kind of column and points. */
export function distinct(ranked: readonly { cell: string; offer: SeenAction }[]): { cell: string; offer: SeenAction }[] {
  const seen = new Set<string>();
  return ranked.filter(({ cell, offer }) => {
    const { column, row } = splitPlace(cell);
    const alike = [splitColumn(column).kind, row, entryOf(offer).points, entryOf(offer).total].join(' ');
    return !seen.has(alike) && seen.add(alike);
  });
}

/** Return the most points that one of these cells would get. */
export const mostPoints = (offers: Offers): number => Math.max(0, ...Object.values(offers).map((offer) => entryOf(offer).points ?? 0));

/** Return by how much a cell brings the total less far than the best one does. */
export const behind = (offers: Offers, cell: string): number =>
  (entryOf(best(offers)[0]!.offer).total ?? 0) - (entryOf(offers[cell]!).total ?? 0);

/** Return the cell that an action writes. */
export const cellOf = (action: string): string => placeOf(parseAction('yamm', action)) ?? '';

/** Return the names of the owners of a sheet. */
export const owner = (view: View, sheet: SeenSheet): string =>
  sheet.seats.map((seat) => isolate(nameOf(view.seats[seat]))).join(' & ');

/** Return the names of the owners for an element of their own, computers by their level alone. */
export function shortOwner(view: View, sheet: SeenSheet): string {
  const names = sheet.seats.map((seat) => shortNameOf(view.seats[seat]));
  return names.length > 1 ? names.map(isolate).join(' & ') : (names[0] ?? '');
}

/**
 * Return the index of the sheet of the turn. The sheet of the last result stays until the next
 * throw.
 */
export function sheetOfTurn(view: View, sheets: readonly SeenSheet[]): number {
  const { turn } = view;
  if (!turn) return -1;
  const last = turn.throws === 0 ? sheets.findIndex((sheet) => sheet.wet?.turn === turn.number - 1) : -1;
  return last >= 0 ? last : sheets.findIndex((sheet) => sheet.seats.includes(turn.seat));
}

/** Return the index of the sheet of a seat. */
export const sheetOfSeat = (sheets: readonly SeenSheet[], seat: number): number => sheets.findIndex(({ seats }) => seats.includes(seat));

/** Return the rank of each sheet by its total. Equal totals share a rank. */
export const places = (sheets: readonly SeenSheet[]): number[] =>
  sheets.map(({ total }) => 1 + sheets.filter((other) => other.total > total).length);

/**
 * Return what the change of a sheet has completed: columns that are full now, and subtotals with a
 * bonus now.
 */
export function completedSums(before: SeenSheet, now: SeenSheet): ReadonlySet<string> {
  const isNew = (sums: 'bonus' | 'column_totals', column: string): boolean => before[sums][column] === null && now[sums][column] !== null;
  return new Set(
    Object.keys(now.columns).flatMap((column) => [
      ...(isNew('column_totals', column) ? [column] : []),
      ...(isNew('bonus', column) && now.bonus[column] ? [`${column}.${SUBTOTAL}`] : []),
    ]),
  );
}

/** Return what is written in a cell whose result can still be moved, and by whom, as one sentence. */
export function wetEntry(view: View, sheet: SeenSheet, cell: string): string {
  const { column, row } = splitPlace(cell);
  const result = sheet.columns[column]?.[row];
  return t('ui_sheet_wet_entry', { name: owner(view, sheet), cell: cellName(cell), points: result ? pointsText(result) : t('word_struck') });
}
