/** What the pages of the rules share: their sections, the printed board, the values of options. */
import { api } from '../lib/api';
import { listedGames, optionValueName, type GameOption } from '../lib/games.svelte';
import { optionValueMeaning } from '../lib/meanings';
import { has, t } from '../lib/messages.svelte';
import { YAM_MASTER_START, type KnownGame } from '../lib/notation';
import type { SeenBoard, Shown } from '../lib/protocol';

/** A section: the end of its address, and its title. */
export interface Part {
  id: string;
  title: string;
}

// --- Options ------------------------------------------------------------------------------------

export const optionsOf = (game: KnownGame): readonly GameOption[] => listedGames().find(({ id }) => id === game)?.options ?? [];

/** A value of an option, or a range of values that have no texts. */
export interface ShownValue {
  value: string;
  name: string;
  meaning: string;
}

/**
 * Return the default of an option, then its other values. Many numbers without texts are one range.
 */
export function shownValues(option: GameOption): ShownValue[] {
  const show = (value: string): ShownValue => ({
    value,
    name: optionValueName(option, value),
    meaning: optionValueMeaning(option, value),
  });
  const { values, default: usual, text_key: key } = option;
  const isRange = values.length > 3 && values.every((value) => /^\d+$/.test(value) && !has(`${key}_${value}`));
  if (!isRange) return [show(usual), ...values.filter((value) => value !== usual).map(show)];
  const range = `${values[0]}–${values.at(-1)}`;
  return [show(usual), { value: range, name: range, meaning: '' }];
}

// --- The board ----------------------------------------------------------------------------------

const STORAGE_KEY = 'dicecup-board';
let printed: SeenBoard | undefined;

/** Load the empty board, once on this device. Throws `ApiError`. */
export async function loadPrintedBoard(): Promise<void> {
  printed ??= stored() ?? (await fetchBoard());
}

function stored(): SeenBoard | undefined {
  try {
    return (JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as SeenBoard | null) ?? undefined;
  } catch {
    return undefined; // storage is blocked or damaged
  }
}

async function fetchBoard(): Promise<SeenBoard> {
  const body = { game: 'yam-master' satisfies KnownGame, position: YAM_MASTER_START, after: null };
  const { board } = await api<Shown>('/api/show', { body });
  if (!board) throw new TypeError('the server shows no board');
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(board));
  } catch {
    // private window or full storage: the next visit asks again
  }
  return board;
}

/** Return the squares in a text such as `a1 b2`. */
export const squaresIn = (text: string): string[] => text.split(' ').filter(Boolean);

/**
 * Return a board with tokens. `lines` and `winning`: runs, each a text of its squares. The board
 * must be loaded.
 */
export function boardWith({ x = '', o = '', lines = [], winning = [] }: Drawn = {}): SeenBoard {
  if (!printed) throw new TypeError('the board is not loaded');
  const token = (square: string): 'x' | 'o' | null =>
    squaresIn(x).includes(square) ? 'x' : squaresIn(o).includes(square) ? 'o' : null;
  return {
    ...printed,
    squares: printed.squares.map(({ square, figure }) => ({ square, figure, token: token(square) })),
    lines: { x: lines.map(squaresIn), o: [] },
    winning: winning.map(squaresIn),
  };
}
export interface Drawn {
  x?: string;
  o?: string;
  lines?: readonly string[];
  winning?: readonly string[];
}

/** Return the squares that ask for a figure. */
export const squaresOf = (figure: string): string[] =>
  boardWith().squares.flatMap((each) => (each.figure === figure ? [each.square] : []));

/** Return several words as a list: a, b or c. */
export const anyOf = (words: readonly string[]): string =>
  new Intl.ListFormat(document.documentElement.lang, { type: 'disjunction' }).format(words);
export const allOf = (words: readonly string[]): string =>
  new Intl.ListFormat(document.documentElement.lang, { type: 'conjunction' }).format(words);

/** Return the text that a screen reader reads for a row of dice. */
export const diceSpoken = (dice: string): string => t('guide_dice', { dice: dice.split('').join(' ') });
