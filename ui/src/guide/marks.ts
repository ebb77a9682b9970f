/** The places of the page that the mark of a step stands for (src/dicecup/table/guides/guide.py). */
import type { View } from '../lib/protocol';
import type { Cost } from './bubblePlace';

const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
const SUBTOTAL = 'ZT';

/** Return the elements of a mark; none while the page does not show them. */
export function marked(mark: string, view: View): HTMLElement[] {
  const [kind = '', ...names] = mark.split(' ');
  const [name = ''] = names;
  switch (kind) {
    case 'board':
    case 'sheet':
      return all('main [role="grid"]').slice(0, 1);
    case 'square':
      return all(`[data-square="${name}"]`);
    case 'line':
      return lineOf(name, view).flatMap((square) => all(`[data-square="${square}"]`));
    case 'dice':
      return all('main [data-face]');
    case 'die':
      return names.flatMap((face) => all(`main [data-face="${face}"]`));
    case 'main':
      return confirming() ?? all('main [data-main]');
    case 'defi':
      return all('main [data-defi]');
    case 'score':
      return all('header [data-players]');
    case 'cell':
      return enlarged(name) ?? all(`[data-cell="${name}"]`);
    case 'column':
      return all(`[data-cell^="${name}."]`);
    case 'sum':
      return all(`[data-cell="${name}.${SUBTOTAL}"]`);
    case 'total':
      return all('main .grand, main .more');
    default:
      return [];
  }
}

/** Return the button that confirms a Défi, `null` where none is asked about. */
function confirming(): HTMLElement[] | null {
  const found = all('main .ask [data-yes]');
  return found.length ? found : null;
}

/** Return the cell in the enlarged part of the sheet, `null` where none is enlarged. */
function enlarged(cell: string): HTMLElement[] | null {
  const found = all(`main .lens [data-place="${cell}"]`);
  return found.length ? found : null;
}

/** Return the squares of the line that runs through a square. */
function lineOf(square: string, { board }: View): string[] {
  const lines = board ? [...board.winning, ...Object.values(board.lines).flat()] : [];
  return lines.find((line) => line.includes(square)) ?? [square];
}

/** Marks of several elements that get one ring together. */
const JOINED = /^(column|line|dice)/;

/** Return the places of a mark, each of which gets a ring. */
export function placesOf(mark: string, elements: readonly HTMLElement[]): DOMRect[] {
  const places = elements.map((element) => element.getBoundingClientRect()).filter(({ width }) => width > 0);
  return JOINED.test(mark) && places.length ? [around(places)] : places;
}

/** Marks in the tray. */
const IN_TRAY = /^(die|dice|main|defi)\b/;

/**
 * Return what the sentence of a mark should leave free. A covered pixel of a highlighted place costs
 * most, then one of the row and the column of a highlighted cell. A step about dice needs the tray
 * more than the board or the sheet, any other step the board or the sheet more than the tray.
 */
export function costsOf(mark: string, places: readonly DOMRect[]): Cost[] {
  const inTray = IN_TRAY.test(mark);
  const lines = linesOf(mark).map((selector) => all(selector).map((element) => element.getBoundingClientRect()));
  const costs = [
    ...(places.length ? [{ place: around(places), weight: 0 }] : []), // the sentence lies near it
    ...places.map((place) => ({ place, weight: 1000 })),
    ...lines.filter(({ length }) => length).map((line) => ({ place: around(line), weight: 20 })),
  ];
  const others: [selector: string, weight: number][] = [
    ['main .lens', 100],
    ['main [role="grid"]', inTray ? 2 : 6],
    ['main .tray', inTray ? 4 : 1],
    ['main [data-face], main [data-main], main [data-defi], main .ask', inTray ? 100 : 1],
  ];
  return [
    ...costs,
    ...others.flatMap(([selector, weight]) => all(selector).map((element) => ({ place: element.getBoundingClientRect(), weight }))),
  ];
}

/** Return the selectors of the column and the row of a mark in a sheet. */
function linesOf(mark: string): string[] {
  const [kind = '', name = ''] = mark.split(' ');
  const [column, row] = kind === 'sum' ? [name, SUBTOTAL] : kind === 'cell' ? name.split('.') : [];
  return row ? [`[data-cell^="${column}."]`, `[data-cell$=".${row}"]`] : [];
}

/** Return the smallest rectangle around several. */
export function around(places: readonly DOMRect[]): DOMRect {
  const left = Math.min(...places.map((place) => place.left));
  const top = Math.min(...places.map((place) => place.top));
  const right = Math.max(...places.map((place) => place.right));
  const bottom = Math.max(...places.map((place) => place.bottom));
  return new DOMRect(left, top, right - left, bottom - top);
}
