/** How a game stands or ended, in words. */
import { has, t } from '../lib/messages.svelte';
import type { View } from '../lib/protocol';
import { called, calledAll } from './words';

/** What everybody has, by side: ⁨Anna⁩ 3, ⁨Ben⁩ 1. */
export function standing(view: View): string {
  if (view.board) {
    const { points } = view.board;
    return sides(view).map((seats, side) => `${calledAll(view, seats)} ${points[side ? 'o' : 'x']}`).join(', ');
  }
  return (view.sheets ?? []).map(({ seats, total }) => `${calledAll(view, seats)} ${total}`).join(', ');
}

/** The seats of each side; in Yam Master x and o. */
export function sides(view: View): number[][] {
  if (view.sheets) return view.sheets.map(({ seats }) => [...seats]);
  return [0, 1].map((side) => view.seats.filter((seat) => (seat.side ?? seat.seat) === side).map(({ seat }) => seat));
}

/** Why it ended. */
export const reason = (view: View): string => {
  const key = `end_${view.result?.end ?? ''}`;
  return has(key) ? t(key) : '';
};

/** Who won. */
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

/** The points that were reached, where anything was played. */
export const reached = (view: View): string => (view.order.length ? t('ui_table_said_points', { points: standing(view) }) : '');
