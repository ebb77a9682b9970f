/** The measured rules of thumb (docs/rules-of-thumb.md), and how the page writes them. */
import { number, t } from '../lib/messages.svelte';
import measured from '../../../src/dicecup/analysis/rules_of_thumb.json';

export type RulesOfThumb = typeof measured;
/** A mean, half of its 95 % interval, and the number of games. */
type Measured = readonly number[];

export const RULES_OF_THUMB: RulesOfThumb = measured;

/** The numbers of written cells that have a column. */
export const STAGES = ['0', '22', '44', '66', '88'] as const;

/** Return a mean with half of its interval, a dash where nothing was measured. */
export const measuredText = (pair: Measured | undefined, digits: number, factor = 1): string =>
  pair ? `${signless(factor * pair[0]!, digits)} ± ${number(factor * pair[1]!, digits)}` : '–';

/** Return a number with a minus sign that is as wide as a plus. */
export const signless = (value: number, digits: number): string => number(value, digits).replace('-', '−');

/** Return the dice that a keep names, or the row that is written. */
export function bestText(action: string): string {
  if (!action.startsWith('k')) return t('guide_worth_write', { row: action.split('.')[1]! });
  return action === 'k-' ? t('guide_worth_nothing') : action.slice(1).split('').join(' ');
}
