/** Words for points and results. */
import { has, t } from '../lib/messages.svelte';
import type { View } from '../lib/protocol';
import { called, calledAll } from './labels';

/** Return the points of a side, `null` in a game whose points the view does not hold. */
export function pointsOf(view: View, side: number): number | null {
  if (view.board) return view.board.points[side ? 'o' : 'x'] ?? 0;
  return view.sheets?.[side]?.total ?? null;
}

/** Return the points of all sides as words: Anna 3, Ben 1. Empty where the view holds no points. */
export const standing = (view: View): string =>
  sides(view)
    .map((seats, side) => ({ seats, points: pointsOf(view, side) }))
    .flatMap(({ seats, points }) => (points === null ? [] : [`${calledAll(view, seats)} ${points}`]))
    .join(', ');

/** Return the seats of each side. */
export function sides(view: View): number[][] {
  if (view.sheets) return view.sheets.map(({ seats }) => [...seats]);
  const count = 1 + Math.max(...view.seats.map((seat) => seat.side ?? seat.seat));
  return Array.from({ length: count }, (_, side) => view.seats.filter((seat) => (seat.side ?? seat.seat) === side).map(({ seat }) => seat));
}

/** Return the reason of the end. */
export const reason = (view: View): string => {
  const key = `end_${view.result?.end ?? ''}`;
  return has(key) ? t(key) : '';
};

/** Return the sentence about the winners. */
export function verdict(view: View): string {
  const { result, seats, you } = view;
  if (!result) return '';
  if (view.order.length === 0 || seats.length === 1) return '';
  const { winners } = result;
  if (winners.length === 0) return t('end_draw');
  const won = new Set(winners.map((seat) => seats[seat]?.side));
  if (won.size > 1) return t('end_shared', { names: calledAll(view, winners) });
  if (you.length === 1 && winners.includes(you[0]!)) return t(winners.length > 1 ? 'ui_table_you_won_together' : 'ui_table_you_won');
  return t('end_winner', { name: winners.length > 1 ? calledAll(view, winners) : called(view, winners[0]) });
}

/**
 * Return the sentence about the points; empty before the first turn and where the view holds no
 * points.
 */
export function reached(view: View): string {
  const points = view.order.length ? standing(view) : '';
  return points && t('ui_table_said_points', { points });
}
