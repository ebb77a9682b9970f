/**
 * Texts for the numbers of an analysis. The terminal has the same texts
 * (src/dicecup/terminal/analysis.py).
 */
import { number, t } from '../lib/messages.svelte';
import type { SeenBoard } from '../lib/protocol';
import { assertNever, formatCell, isYammAction, parseAction, placeOf, startsWithSquare, type Action } from '../lib/notation';
import { cellName, columnName, figureName, listed } from '../table/labels';
import { SAME, type CellReasons, type Choice, type KeepReasons, type Line, type SquareReasons, type Unit } from './analysisTypes';

/** The greatest number of endings of a turn that are listed, and the least probability of each. */
const WAYS = 5;
const LIKELY = 0.02;

const figureOn = (board: SeenBoard | null | undefined, square: string): string =>
  board?.squares.find((each) => each.square === square)?.figure ?? '';

/**
 * Return an action of a game that analyses know: Yam Master or Yamm. The two write their actions
 * differently.
 */
export const actionOf = (text: string): Action => parseAction(isYammAction(text) ? 'yamm' : 'yam-master', text);

/** Return the faces that an action keeps, `null` for any other action. */
export function keptIn(text: string): readonly number[] | null {
  const action = actionOf(text);
  return action.kind === 'keep' ? action.dice : null;
}

/** Return the square or the cell that an action names. */
export const placeIn = (text: string): string | null => placeOf(actionOf(text));

/** Return an action in words: keep 3 3; c3 · Yam; ↓1 · FH. */
export function actionName(text: string, board?: SeenBoard | null): string {
  const action = actionOf(text);
  switch (action.kind) {
    case 'keep': {
      const keep = action.dice.length ? t('odds_keeping', { dice: action.dice.join(' ') }) : t('odds_keeping_none');
      return action.defi ? t('name_defi', { keep }) : keep;
    }
    case 'pass':
      return t('name_pass');
    case 'remove':
      return t('name_remove', { square: action.square });
    case 'place': {
      const figure = figureOn(board, action.square);
      return figure ? `${action.square} · ${figureName(figure)}` : action.square;
    }
    case 'write':
    case 'correction':
      return cellName(formatCell(action.cell));
    default:
      return assertNever(action);
  }
}

/** Return a text with a capital first letter. Names of squares keep their small letter. */
export const capital = (text: string): string => (startsWithSquare(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

/** Return a value in points, or in per cent of a win. */
export const scaled = (unit: Unit, value: number): number => (unit === 'points' ? value : 100 * Math.min(value, 1));

/** Keep a number and its unit on one line. The units are the words of the catalogue. */
export function tied(text: string): string {
  const units = [t('analysis_in_points', { points: '' }), t('odds_percent', { percent: '' })].map((unit) => unit.trim());
  return units.reduce((tied, unit) => tied.replaceAll(new RegExp(`(\\d) (?=${unit})`, 'g'), '$1\u00a0'), text);
}

/** Return a number with this many digits after the point, never `-0`. */
export const rounded = (value: number, digits: number): string => number(Number(value.toFixed(digits)) + 0, digits);

/** Return a value with its unit: `1.2 %`, `3.4 points`. */
export function inUnit(unit: Unit, value: number, digits = 1): string {
  const amount = rounded(scaled(unit, value), digits);
  return tied(unit === 'points' ? t('analysis_in_points', { points: amount }) : t('odds_percent', { percent: amount }));
}

/** Return a value with its sign. */
export function signed(unit: Unit, value: number): string {
  const amount = scaled(unit, value);
  return amount > 0 && rounded(amount, 1) !== rounded(0, 1) ? `+${rounded(amount, 1)}` : rounded(amount, 1).replace('-', '−');
}

/** Return the number of digits after the point for a loss. */
export const lossDigits = (unit: Unit, loss: number): number => (scaled(unit, loss) >= 0.95 ? 1 : 2);

/** Return the loss against the best choice in words. */
export function lossText(unit: Unit, loss: number): string {
  if (loss <= SAME) return t('hint_best');
  const values = { loss: rounded(scaled(unit, loss), lossDigits(unit, loss)) };
  return tied(unit === 'points' ? t('hint_points', values) : t('hint_chance', values));
}

/** Return the reasons for the value of a choice, as sentences. */
export function reasonTexts(choice: Choice, board?: SeenBoard | null): string[] {
  const { reasons } = choice;
  if (!reasons) return [];
  const sentences = 'endings' in reasons ? keepReasons(reasons, board) : 'gives_up' in reasons ? cellReasons(reasons) : squareReasons(reasons);
  return sentences.map(tied);
}

function keepReasons({ endings, gain, later }: KeepReasons, board?: SeenBoard | null): string[] {
  const ways = endings
    .slice(0, WAYS)
    .filter(({ probability }) => probability >= LIKELY)
    .map(({ action, probability }) => {
      const ending = actionOf(action);
      const name = ending.kind === 'place' ? `${ending.square} (${figureOn(board, ending.square)})` : actionName(action, board);
      return t('analysis_way', { action: name, percent: rounded(100 * probability, 0) });
    });
  const sentences = [t('analysis_endings', { ways: listed(ways) })];
  if (gain === undefined) return sentences;
  const points = rounded(gain, 1);
  if (later === null || later === undefined) return [...sentences, t('analysis_gain', { points })];
  return [...sentences, t('analysis_gain_later', { points, later: rounded(later, 1) })];
}

function cellReasons(reasons: CellReasons): string[] {
  const sentences: string[] = [];
  if (reasons.strikes_both) sentences.push(t('analysis_strikes_both', { lost: reasons.lost }));
  else if (reasons.strikes) sentences.push(t('analysis_strikes'));
  else sentences.push(t('analysis_now', { points: reasons.points }));
  if (reasons.bonus) sentences.push(t('analysis_bonus', { bonus: number(reasons.bonus) }));
  if (reasons.first_throw_yamm) sentences.push(t('first_throw_yamm'));
  const given = Math.abs(reasons.gives_up);
  const values = { later: rounded(reasons.later, 1), points: rounded(given, 1) };
  if (given < 0.05) sentences.push(t('analysis_later', values));
  else sentences.push(reasons.gives_up > 0 ? t('analysis_later_less', values) : t('analysis_later_more', values));
  const { upper, bonus } = reasons;
  if (upper && !bonus) {
    const at = { column: columnName(upper.column), sum: upper.after };
    if (upper.next) sentences.push(t('analysis_upper', { ...at, missing: upper.next.missing, bonus: number(upper.next.bonus) }));
    else sentences.push(t('analysis_no_bonus', at));
  }
  if (upper && upper.reach_after < upper.reach_before) {
    sentences.push(t('analysis_reach', { before: number(upper.reach_before), after: number(upper.reach_after) }));
  }
  return sentences;
}

const linesText = (lines: readonly Line[]): string =>
  lines.map(({ squares, tokens }) => t('analysis_line', { first: squares[0]!, last: squares.at(-1)!, tokens })).join(', ');

function squareReasons(reasons: SquareReasons): string[] {
  if (reasons.wins) return [t('analysis_wins')];
  const sentences: string[] = [];
  if (reasons.points > 0) sentences.push(t('analysis_scores', { points: reasons.points }));
  if (reasons.points < 0) sentences.push(t('analysis_loses_points', { points: -reasons.points }));
  if (reasons.over) return [...sentences, t('analysis_over')];
  if (reasons.made.length) sentences.push(t('analysis_made', { lines: linesText(reasons.made) }));
  if (reasons.denied_line) sentences.push(t('analysis_denied_line'));
  else if (reasons.denied > 0) sentences.push(t('analysis_denied', { points: reasons.denied }));
  if (reasons.stopped.length) sentences.push(t('analysis_stopped', { lines: linesText(reasons.stopped) }));
  const { threat, chance } = reasons;
  if (threat && Math.max(threat.line, threat.points) > 0) sentences.push(t('analysis_threat', shares(threat)));
  if (chance && Math.max(chance.line, chance.points) > 0) sentences.push(t('analysis_hope', shares(chance)));
  return sentences;
}

const shares = ({ line, points }: { line: number; points: number }) => ({
  line: rounded(100 * line, 1),
  points: rounded(100 * points, 1),
});
