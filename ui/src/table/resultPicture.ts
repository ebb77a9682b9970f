/** A picture of a finished game to share: the result, and the board or a sheet. Loaded on demand. */
import { splitSquare } from '../lib/notation';
import type { SeenBoard, SeenSheet, View } from '../lib/protocol';
import { SUBTOTAL, TOTAL } from '../yamm/labels';
import { columnName, nameOf } from './labels';
import { resultLines, sharedSheet } from './shareText';

const WIDTH = 1080;
const EDGE = 48;
const SIZE = WIDTH - 2 * EDGE;
/** Pixels from one line of text to the next. */
const LINE = 58;
const FONT = 'system-ui, sans-serif';
const INK = '#1c1b19';
const COLOURS = { x: '#b3261e', o: '#1f4fa3' };

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Return a text that is centred at a place. */
const label = (text: string, x: number, y: number, size: number, colour = INK, weight = 600): string =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${colour}" text-anchor="middle">${escaped(text)}</text>`;

/** Return sentences as lines that fit into the picture. */
function wrapped(sentences: readonly string[], size: number): string[] {
  const context = document.createElement('canvas').getContext('2d')!;
  context.font = `600 ${size}px ${FONT}`;
  return sentences.flatMap((sentence) =>
    sentence.split(' ').reduce<string[]>((lines, word) => {
      const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
      return lines.length && context.measureText(longer).width <= SIZE ? [...lines.slice(0, -1), longer] : [...lines, word];
    }, []),
  );
}

/** Return a token: x is a disc with a cross, o a ring. */
const tokenAt = (x: number, y: number, side: 'x' | 'o'): string =>
  side === 'x'
    ? `<circle cx="${x}" cy="${y}" r="68" fill="${COLOURS.x}" stroke="#fff" stroke-width="5"/>
       <path d="M${x - 25} ${y - 25}l50 50m0-50l-50 50" stroke="#fff" stroke-width="16"/>`
    : `<circle cx="${x}" cy="${y}" r="50" fill="none" stroke="#fff" stroke-width="39"/>
       <circle cx="${x}" cy="${y}" r="50" fill="none" stroke="${COLOURS.o}" stroke-width="30"/>`;

/** Return the board with its tokens, the runs that score, and the winning line. */
function boardOf({ squares, lines, winning }: SeenBoard): string {
  const side = SIZE / 5;
  const middle = (square: string): [x: number, y: number] => {
    const { column, row } = splitSquare(square);
    return [(column + 0.5) * side, (row + 0.42) * side];
  };
  const line = (run: readonly string[], colours: readonly [outer: string, inner: string]): string =>
    colours.map((colour, at) => `<path d="M${middle(run[0]!)} L${middle(run.at(-1)!)}" stroke="${colour}" stroke-width="${at ? 10 : 20}"/>`).join('');
  const drawn = squares.map(({ square, figure, token }) => {
    const [x, y] = middle(square);
    const wood = `<rect x="${x - side / 2 + 2}" y="${y - 0.42 * side + 2}" width="${side - 4}" height="${side - 4}" fill="#c99a63"/>`;
    return wood + (token ? tokenAt(x, y, token) + label(figure, x, y + 100, 28) : label(figure, x, y + 32, figure.length > 1 ? 46 : 68));
  });
  const runs = (['x', 'o'] as const).flatMap((each) => (lines[each] ?? []).map((run) => line(run, ['#fff', COLOURS[each]])));
  const wins = winning.map((run) => line(run, [INK, '#ffd34d']));
  return `<rect width="${SIZE}" height="${SIZE}" fill="#8f6030"/>${[...drawn, ...runs, ...wins].join('')}`;
}

/** Return the sheet with its sums. A struck cell has a dash. */
function sheetOf({ columns, upper, bonus, column_totals: totals }: SeenSheet): string {
  const names = Object.keys(columns);
  const rows = Object.keys(columns[names[0]!]!);
  rows.splice(6, 0, SUBTOTAL);
  rows.push(TOTAL);
  const [wide, high] = [SIZE / (names.length + 1), SIZE / (rows.length + 1)];
  const valueOf = (column: string, row: string): string => {
    if (row === TOTAL) return String(totals[column] ?? '');
    if (row === SUBTOTAL) return String((upper[column] ?? 0) + (bonus[column] ?? 0));
    const points = columns[column]![row];
    return points === 0 ? '–' : String(points ?? '');
  };
  const grid = [['', ...names.map(columnName)], ...rows.map((row) => [row === TOTAL ? 'Σ' : row, ...names.map((column) => valueOf(column, row))])];
  const cells = grid.flatMap((line, row) =>
    line.map((text, column) => {
      const isHead = !row || !column;
      const fill = isHead || [SUBTOTAL, TOTAL].includes(rows[row - 1]!) ? '#e6ece0' : '#fffef9';
      const box = `<rect x="${column * wide}" y="${row * high}" width="${wide}" height="${high}" fill="${fill}" stroke="#8b978a"/>`;
      return box + label(text, (column + 0.5) * wide, (row + 0.67) * high, row ? 32 : 24, isHead ? INK : '#1c3f94');
    }),
  );
  return cells.join('');
}

/** Return the picture as SVG with its height. */
function drawn(view: View): [svg: string, height: number] {
  const [game = '', ...results] = resultLines(view);
  const sheet = sharedSheet(view);
  const owner = sheet && view.sheets!.length > 1 ? [sheet.seats.map((seat) => nameOf(view.seats[seat])).join(' · ')] : [];
  const lines = wrapped([...results, ...owner], 44);
  const top = EDGE + (lines.length + 1) * LINE;
  const height = top + SIZE + EDGE;
  const texts = [label(game, WIDTH / 2, EDGE + 30, 34, '#55524b', 400), ...lines.map((line, at) => label(line, WIDTH / 2, EDGE + 34 + (at + 1) * LINE, 44))];
  const picture = view.board ? boardOf(view.board) : sheet ? sheetOf(sheet) : '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="${FONT}" stroke-linecap="round">
    <rect width="100%" height="100%" fill="#faf8f4"/>${texts.join('')}<g transform="translate(${EDGE} ${top})">${picture}</g></svg>`;
  return [svg, height];
}

/** Return the picture of a finished game as a PNG. Throws where the browser cannot draw it. */
export async function resultPicture(view: View): Promise<File> {
  const [svg, height] = drawn(view);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height });
  canvas.getContext('2d')!.drawImage(image, 0, 0);
  const png = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!png) throw new Error('no picture');
  return new File([png], `dicecup-${view.table}.png`, { type: png.type });
}
