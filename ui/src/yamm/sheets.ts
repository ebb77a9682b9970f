/** What lies on the table, as the sheets need it: whose sheet is whose, what may be written on it, what may be moved. */
import { formatCell, parseAction, placeOf } from '../lib/notation';
import type { SeenAction, SeenSheet, View } from '../lib/protocol';
import { isolate, nameOf } from '../table/labels';


export type Offers = Record<string, SeenAction>;

/** The cells that may be written now, by name. */
export const writable = (view: View): Offers =>
  Object.fromEntries(
    view.actions.flatMap((each) => {
      const action = parseAction('yamm', each.action);
      return action.kind === 'write' ? [[formatCell(action.cell), each]] : [];
    }),
  ) as Offers;

/** By turn: where its wet result may be moved, by name of the cell. */
export function movable(view: View): Map<number, Offers> {
  const found = new Map<number, Offers>();
  for (const each of view.corrections) {
    const action = parseAction('yamm', each.action);
    if (action.kind === 'correction') found.set(action.turn, { ...found.get(action.turn), [formatCell(action.cell)]: each });
  }
  return found;
}

/** The cell that an action writes. */
export const cellOf = (action: string): string => placeOf(parseAction('yamm', action)) ?? '';

/** Whose sheet it is. */
export const owner = (view: View, sheet: SeenSheet): string =>
  sheet.seats.map((seat) => isolate(nameOf(view.seats[seat]))).join(' & ');

/** The sheet that the turn is about. A result stays in sight until the next dice are thrown. */
export function sheetOfTurn(view: View, sheets: readonly SeenSheet[]): number {
  const { turn } = view;
  if (!turn) return -1;
  const last = turn.throws === 0 ? sheets.findIndex((sheet) => sheet.wet?.turn === turn.number - 1) : -1;
  return last >= 0 ? last : sheets.findIndex((sheet) => sheet.seats.includes(turn.seat));
}

/** The places of the sheets by their totals; equal totals share one. */
export const places = (sheets: readonly SeenSheet[]): number[] =>
  sheets.map(({ total }) => 1 + sheets.filter((other) => other.total > total).length);
