/** The places of the page that the mark of a step stands for (src/dicecup/table/guides/guide.py). */
import type { View } from '../lib/protocol';

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

/**
 * Return what a sentence must not cover, the widest first: the dice together with their buttons,
 * an enlarged part of a sheet, the whole board or sheet where the user only reads, and the highlighted places.
 */
export function uncovered(elements: readonly HTMLElement[], places: readonly DOMRect[], reads: boolean): DOMRect[] {
  if (!places.length) return [];
  const part = elements[0]?.closest(reads ? '[role="grid"], .lens, .tray' : '.lens, .tray');
  return [...(part ? [part.getBoundingClientRect()] : []), around(places)];
}

/** Return the smallest rectangle around several. */
export function around(places: readonly DOMRect[]): DOMRect {
  const left = Math.min(...places.map((place) => place.left));
  const top = Math.min(...places.map((place) => place.top));
  const right = Math.max(...places.map((place) => place.right));
  const bottom = Math.max(...places.map((place) => place.bottom));
  return new DOMRect(left, top, right - left, bottom - top);
}
