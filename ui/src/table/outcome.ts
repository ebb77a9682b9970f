/** Words for points and results. */
import { number, t, type Key } from '../lib/messages.svelte';
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

/**
 * Return what the verdict leaves open about the end: who gave up, why nothing more is played. Empty
 * where the verdict says it all.
 */
export function endReason(view: View): string {
  const { result, seats, you } = view;
  if (!result || !view.order.length) return '';
  const lost = seats.filter(({ seat }) => !result.winners.includes(seat)).map(({ seat }) => seat);
  const mine = you.length === 1 && lost.length === 1 && lost[0] === you[0];
  const name = lost.length === 1 ? called(view, lost[0]) : '';
  switch (result.end) {
    case 'tokens':
      return t('ui_over_tokens');
    case 'full':
      return t('ui_over_full');
    case 'cap':
      return t('end_cap');
    case 'resign':
      return mine ? t('ui_over_you_resigned') : name && t('ui_over_resigned', { name });
    case 'time':
      return mine ? t('ui_table_said_your_time_up') : name ? t('ui_table_said_time_up', { name }) : t('ui_table_why_time');
    case 'abandoned':
      return seats.length > 1 ? t('ui_table_why_abandoned') : '';
    default:
      return '';
  }
}

/**
 * Return what the end means for the user; `null` for watchers, for a device on which all play, and
 * for a game alone that was not finished.
 */
export function outcomeFor({ result, seats, you }: View): 'win' | 'loss' | 'draw' | null {
  if (!result || !you.length) return null;
  if (seats.length === 1) return result.end === 'full' ? 'win' : null;
  if (you.length === seats.length) return null;
  const { winners } = result;
  if (!winners.length || winners.length === seats.length) return 'draw';
  return you.some((seat) => winners.includes(seat)) ? 'win' : 'loss';
}

/**
 * Return the sentence about the result: "You win by a line of five." It addresses a user with one
 * seat, and names the winners for all others. `plain`: how the game was decided is known already.
 */
export function verdict(view: View, plain = false): string {
  const { result, seats, you } = view;
  if (!result) return '';
  if (view.order.length === 0) return t('ui_verdict_called_off');
  if (seats.length === 1) return soloVerdict(view);
  const { winners } = result;
  const all = sides(view);
  const won = new Set(winners.map((seat) => seats[seat]?.side));
  if (won.size === 0 || won.size === all.length) return t(result.end === 'agreed' ? 'ui_verdict_draw_agreed' : 'end_draw');
  const me = you.length === 1 ? you[0]! : null;
  if (won.size > 1) {
    if (me === null || !winners.includes(me)) return t('end_shared', { names: calledAll(view, winners) });
    return t('ui_verdict_shared', { names: calledAll(view, winners.filter((seat) => seat !== me)) });
  }
  const wins = me === null || winners.includes(me);
  const count = pointsAhead(view, wins ? winners[0]! : me);
  return t(plain ? 'ui_verdict_plain' : verdictKey(view, wins), { who: winnerClause(view, me), count, points: number(count) });
}

/** Return how one side has won or lost, as the key of a sentence that begins with who did. */
function verdictKey({ result }: View, wins: boolean): Key {
  switch (result?.end) {
    case 'line':
      return wins ? 'ui_verdict_line' : 'ui_verdict_line_lost';
    case 'resign':
      return 'ui_verdict_resign';
    case 'time':
      return 'ui_verdict_time';
    case 'tokens':
    case 'full':
    case 'cap':
      return wins ? 'ui_verdict_points' : 'ui_verdict_points_lost';
    default:
      return 'ui_verdict_plain';
  }
}

/** Return who has won or lost: You win; Your pair loses; Anna wins. */
function winnerClause(view: View, me: number | null): string {
  const { winners } = view.result!;
  if (me === null) {
    return winners.length > 1 ? t('ui_verdict_they_win', { name: calledAll(view, winners) }) : t('ui_verdict_wins', { name: called(view, winners[0]) });
  }
  const pair = sides(view).some((seats) => seats.length > 1);
  if (winners.includes(me)) return t(pair ? 'ui_verdict_pair_wins' : 'ui_verdict_you_win');
  return t(pair ? 'ui_verdict_pair_loses' : 'ui_verdict_you_lose');
}

/** Return by how many points the side of a seat is ahead of the others, or behind the first. */
function pointsAhead(view: View, seat: number): number {
  const points = sides(view).map((seats, side) => ({ own: seats.includes(seat), points: pointsOf(view, side) ?? 0 }));
  const own = points.find((side) => side.own)?.points ?? 0;
  return Math.abs(own - Math.max(...points.filter((side) => !side.own).map((side) => side.points)));
}

/** Return the verdict of a game without opponents. */
function soloVerdict(view: View): string {
  const points = pointsOf(view, 0);
  if (view.result?.end !== 'full' || points === null) return t('ui_verdict_called_off');
  const values = { name: called(view, 0), points: number(points) };
  return view.you.length ? t('ui_verdict_alone', values) : t('ui_verdict_alone_of', values);
}

/**
 * Return the sentence about the points; empty before the first turn, where the view holds no points
 * and where the verdict says all.
 */
export function pointsSentence(view: View): string {
  const { result, seats } = view;
  const said = result !== null && (result.end === 'line' || seats.length === 1);
  const points = view.order.length && !said ? standing(view) : '';
  return points && t('ui_table_said_points', { points });
}
