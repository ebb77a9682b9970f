/** Descriptions of squares: figure, token, and the effect of an action. */
import { t, type Key } from '../lib/messages.svelte';
import { parseAction } from '../lib/notation';
import type { SeenAction, SeenBoard } from '../lib/protocol';
import { figureName, isolate, labelled } from '../table/labels';

export type Side = 'x' | 'o';
export type Mark = 'best' | 'played' | 'last';
export type Square = SeenBoard['squares'][number];
/** The names of the two sides, where they have any. */
export type Names = Partial<Record<Side, string>>;

export interface Effect {
  points: number;
  opponent: number;
  lines: string[][];
  wins: boolean;
}
export const effectOf = ({ effect }: SeenAction): Effect => effect as unknown as Effect;
/** Return whether an action takes an opposing token off the board. */
export const removes = ({ action }: SeenAction): boolean => parseAction('yam-master', action).kind === 'remove';
/** Return the familiar name of a figure, which is in brackets in its full name. */
export const wordFor = (figure: string): string => /\((.+)\)/.exec(figureName(figure))?.[1] ?? '';

/** Return the points that an action gains for its side, `null` where the side is unknown. */
export function gainOf(action: SeenAction, board: SeenBoard, side: Side | undefined): number | null {
  return side ? effectOf(action).points - (board.points[side] ?? 0) : null;
}

/** Return the lines that score, those of x first. */
export const linesIn = ({ lines }: SeenBoard): { side: Side; run: readonly string[] }[] =>
  (['x', 'o'] as const).flatMap((side) => (lines[side] ?? []).map((run) => ({ side, run })));

export const signed = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0');

/** Return the effect of an action in words. */
export function effectText(action: SeenAction, board: SeenBoard, side?: Side): string {
  const { points, opponent, wins } = effectOf(action);
  if (removes(action)) return t('ui_board_remove', { points, opponent });
  if (wins) return t('ui_board_place_wins');
  const gain = gainOf(action, board, side);
  return gain ? t('ui_board_place_gains', { gain: signed(gain), points, opponent }) : t('ui_board_place', { points, opponent });
}

const tokenName = (side: Side): string => t(side === 'x' ? 'ui_board_token_x' : 'ui_board_token_o');

/** Return the name of a token with the name of its side. */
export function tokenOf(side: Side, names: Names): string {
  const name = names[side];
  return name ? t('ui_board_token_of', { token: tokenName(side), name: isolate(name) }) : tokenName(side);
}

/** Return the threats on a square as sentences. */
export function threatsOn(board: SeenBoard, square: string, names: Names): string[] {
  return (['x', 'o'] as const).flatMap((side) =>
    (board.threats[side] ?? [])
      .filter((each) => each.square === square)
      .map(({ points, wins }) => {
        const who = names[side] ? isolate(names[side]) : tokenName(side);
        return wins ? t('ui_board_threat_wins', { who }) : t('ui_board_threat', { who, gain: signed(points) });
      }),
  );
}

/** Return the scoring runs and the winning line as sentences. */
export function linesOf(board: SeenBoard, names: Names): string[] {
  const named = (runs: readonly string[][]): string => runs.map((run) => `${run[0]}–${run.at(-1)}`).join(', ');
  const scoring = (['x', 'o'] as const).flatMap((side) => {
    const runs = board.lines[side] ?? [];
    const who = names[side] ? isolate(names[side]) : tokenName(side);
    return runs.length ? [t('ui_board_lines', { who, lines: named(runs) })] : [];
  });
  return [...scoring, ...(board.winning.length ? [t('ui_board_winning', { lines: named(board.winning) })] : [])];
}

const MARKS = { best: 'ui_board_best', played: 'ui_board_played', last: 'ui_board_last' } as const;

/**
 * Return the description of a square after its figure: token, effect of its action, threats, mark.
 */
export function squareDescription(
  { square, token }: Square,
  board: SeenBoard,
  { offered, mark, side, names, threats }: { offered?: SeenAction; mark?: Mark; side?: Side; names: Names; threats: boolean },
): string {
  return [
    token ? tokenOf(token, names) : t('ui_board_free'),
    ...(offered ? [effectText(offered, board, side)] : []),
    ...(threats ? threatsOn(board, square, names) : []),
    ...(mark ? [t(MARKS[mark])] : []),
  ].join('; ');
}

const BIG: Record<string, { means: Key; example: string }> = {
  Full: { means: 'ui_board_means_full', example: '33355' },
  Carré: { means: 'ui_board_means_carre', example: '44443' },
  Yam: { means: 'ui_board_means_yam', example: '66666' },
  Suite: { means: 'ui_board_means_suite', example: '12345' },
  '≤8': { means: 'ui_board_means_at_most_8', example: '11123' },
  Sec: { means: 'ui_board_means_sec', example: '' },
  Défi: { means: 'ui_board_means_defi', example: '' },
};

/** What a square says about itself: a sentence, and dice that its figure holds for. */
export interface Explanation {
  text: string;
  dice: readonly number[];
}

/** Return what a square asks for, or whose token is on it. */
export function explanationOf({ square, figure, token }: Square, names: Names): Explanation {
  if (token) return { text: labelled(`${square} ${figure}`, tokenOf(token, names)), dice: [] };
  const big = BIG[figure];
  const face = Number(figure);
  const dice = big ? big.example : `${figure.repeat(3)}${face < 5 ? 56 : 24}`;
  const means = big ? t(big.means) : t('ui_board_means_three', { face });
  return { text: labelled(`${square} ${figure}`, means), dice: [...dice].map(Number).sort() };
}

/** Return an explanation in one sentence, for screen readers. */
export const explanationText = ({ text, dice }: Explanation): string =>
  dice.length ? `${text}; ${t('ui_board_example', { dice: dice.join(' ') })}` : text;
