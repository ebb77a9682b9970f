/** The curves of a review. The side of the user points upwards. */
import { number, t } from '../lib/messages.svelte';
import type { Review } from './analysisTypes';
import { inUnit } from './labels';
import { playerName, sideName } from './playerNames';

export interface Line {
  name: string;
  values: readonly number[];
}
export interface Curves {
  lines: readonly Line[];
  label: string;
  /** Formats a value for texts and the table. */
  format: (value: number) => string;
  /** Formats a value for the axis. */
  tick: (value: number) => string;
  low: number;
  high: number;
  middle?: number;
}

/** The axis of points ends at multiples of this number. */
const ROUND = 100;

/** Return the curves of a review, seen by a player. */
export function curvesOf(review: Review, own: number): Curves {
  if (review.unit === 'chance') {
    const values = review.curve[0]?.values ?? [];
    const name = playerName(review, own);
    return {
      lines: [{ name, values: own === 0 ? values : values.map((value) => 1 - value) }],
      label: t('ui_learn_curve_chance', { name }),
      format: (value) => inUnit('chance', value, 1),
      tick: (value) => inUnit('chance', value, 0),
      low: 0,
      high: 1,
      middle: 0.5,
    };
  }
  const all = review.curve.flatMap(({ values }) => values);
  return {
    lines: review.curve.map(({ values }, side) => ({ name: sideName(review, side), values })),
    label: t('ui_learn_curve_points'),
    format: (value) => inUnit('points', value, 0),
    tick: (value) => number(value),
    low: ROUND * Math.floor(Math.min(...all) / ROUND),
    high: ROUND * Math.ceil(Math.max(...all) / ROUND),
  };
}
