/** What the pages of the rules have in common: their sections, the board as it is printed, options with what they may be. */
import { t, type Key } from '../lib/messages.svelte';
import type { SeenBoard } from '../lib/protocol';

export type GameName = 'yam-master' | 'yamm';

/** A section: what its address ends in, and its title. */
export interface Part {
  id: string;
  title: string;
}

/** One value of an option, and what it means. */
export interface Value {
  value: string;
  name: Key;
  about: Key;
}
/** An option of the rules; the first of its values is the usual one. `at`: the section that explains it. */
export interface Option {
  option: string;
  name: Key;
  at: string;
  values: readonly Value[];
}

export const KEPT_DICE: Option = {
  option: 'kept_dice',
  name: 'option_kept_dice',
  at: 'turn',
  values: [
    { value: 'free', name: 'option_kept_dice_free', about: 'option_kept_dice_free_about' },
    { value: 'locked', name: 'option_kept_dice_locked', about: 'option_kept_dice_locked_about' },
  ],
};
export const FAILED_DEFI: Option = {
  option: 'failed_defi',
  name: 'option_failed_defi',
  at: 'defi',
  values: [
    { value: 'turn_lost', name: 'option_failed_defi_turn_lost', about: 'option_failed_defi_turn_lost_about' },
    { value: 'ignored', name: 'option_failed_defi_ignored', about: 'option_failed_defi_ignored_about' },
  ],
};
export const CAPTURED: Option = {
  option: 'captured',
  name: 'option_captured',
  at: 'predator',
  values: [
    { value: 'returned', name: 'option_captured_returned', about: 'option_captured_returned_about' },
    { value: 'out', name: 'option_captured_out', about: 'option_captured_out_about' },
  ],
};
export const END: Option = {
  option: 'end',
  name: 'option_end',
  at: 'end',
  values: [
    { value: 'at_once', name: 'option_end_at_once', about: 'option_end_at_once_about' },
    { value: 'full_round', name: 'option_end_full_round', about: 'guide_ym_full_round' },
  ],
};
export const PLAYERS: Option = {
  option: 'players',
  name: 'option_players',
  at: 'players',
  values: [
    { value: '2', name: 'guide_yamm_players_two', about: 'guide_yamm_players_two_about' },
    { value: '1-16', name: 'guide_yamm_players_any', about: 'guide_yamm_players_any_about' },
  ],
};
export const PAIRS: Option = {
  option: 'pairs',
  name: 'option_pairs',
  at: 'players',
  values: [
    { value: 'no', name: 'option_pairs_no', about: 'option_pairs_no_about' },
    { value: 'yes', name: 'option_pairs_yes', about: 'guide_yamm_pairs_yes_about' },
  ],
};
export const OPTIONS: Record<GameName, readonly Option[]> = {
  'yam-master': [KEPT_DICE, FAILED_DEFI, CAPTURED, END],
  yamm: [PLAYERS, PAIRS, KEPT_DICE],
};

/** The figures on the printed board, rows from the top. */
const PRINTED = [
  ['1', '3', 'Défi', '4', '6'],
  ['2', 'Carré', 'Sec', 'Full', '5'],
  ['≤8', 'Full', 'Yam', 'Défi', 'Suite'],
  ['6', 'Sec', 'Suite', '≤8', '1'],
  ['3', '2', 'Carré', '5', '4'],
] as const;

/** Squares in a text such as `a1 b2`. */
export const squaresIn = (text: string): string[] => text.split(' ').filter(Boolean);

/** A board to look at. `lines` and `winning`: runs, each from its first square to its last. */
export function boardWith({ x = '', o = '', lines = [], winning = [] }: Drawn = {}): SeenBoard {
  const token = (square: string): 'x' | 'o' | null =>
    squaresIn(x).includes(square) ? 'x' : squaresIn(o).includes(square) ? 'o' : null;
  return {
    squares: PRINTED.flatMap((row, down) =>
      row.map((figure, across) => {
        const square = `${'abcde'[across]}${down + 1}`;
        return { square, figure, token: token(square) };
      }),
    ),
    supplies: { x: 12, o: 12 },
    points: { x: 0, o: 0 },
    lines: { x: lines.map(squaresIn), o: [] },
    threats: { x: [], o: [] },
    winning: winning.map(squaresIn),
  };
}
export interface Drawn {
  x?: string;
  o?: string;
  lines?: readonly string[];
  winning?: readonly string[];
}

/** The squares that ask for a figure. */
export const squaresOf = (figure: string): string[] =>
  boardWith().squares.flatMap((each) => (each.figure === figure ? [each.square] : []));

/** Several words as a sentence has them: a, b or c. */
export const anyOf = (words: readonly string[]): string =>
  new Intl.ListFormat(document.documentElement.lang, { type: 'disjunction' }).format(words);
export const allOf = (words: readonly string[]): string =>
  new Intl.ListFormat(document.documentElement.lang, { type: 'conjunction' }).format(words);

/** What is to be read instead of a row of dice. */
export const diceSpoken = (dice: string): string => t('guide_dice', { dice: dice.split('').join(' ') });
