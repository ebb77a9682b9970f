/**
 * The sheets of a view: their owners, the cells that can be written, the results that can be moved.
 */
import { formatCell, parseAction, placeOf } from '../lib/notation';
import type { SeenAction, SeenSheet, View } from '../lib/protocol';
import { isolate, nameOf } from '../table/labels';


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

/** Return the cell that an action writes. */
export const cellOf = (action: string): string => placeOf(parseAction('yamm', action)) ?? '';

/** Return the names of the owners of a sheet. */
export const owner = (view: View, sheet: SeenSheet): string =>
  sheet.seats.map((seat) => isolate(nameOf(view.seats[seat]))).join(' & ');

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

/** Return the rank of each sheet by its total. Equal totals share a rank. */
export const places = (sheets: readonly SeenSheet[]): number[] =>
  sheets.map(({ total }) => 1 + sheets.filter((other) => other.total > total).length);
