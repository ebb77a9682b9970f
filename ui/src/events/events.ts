/** Names and times of duplicate events, in words. */
import { gameTitle } from '../lib/games.svelte';
import { dateLocale, t } from '../lib/messages.svelte';
import { gameName } from '../lib/notation';
import type { DuplicateEvent } from '../lib/protocol';

/** The first second of a day (`2026-11-24`), which begins at midnight UTC. */
const dayStart = (day: string): Date => new Date(`${day}T00:00:00Z`);

export function eventTitle({ kind, game }: DuplicateEvent): string {
  if (kind === 'yamm') return t('ui_event_yamm');
  if (kind === 'short') return t('ui_event_short');
  if (kind === 'duel') return t('ui_event_duel');
  return t(kind === 'pair' ? 'ui_event_pair_of' : 'ui_event_four_of', { game: gameTitle(gameName(game)) });
}

export function eventAbout({ kind }: DuplicateEvent): string {
  if (kind === 'yamm') return t('ui_event_yamm_about');
  if (kind === 'short') return t('ui_event_short_about');
  if (kind === 'duel') return t('ui_event_duel_about');
  return t(kind === 'pair' ? 'ui_event_pair_about' : 'ui_event_four_about');
}

export const dayText = (day: string): string =>
  new Intl.DateTimeFormat(dateLocale(), { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(dayStart(day));

/** Return a time of today or of another day in the user's time zone. */
export const timeText = (seconds: number): string =>
  new Intl.DateTimeFormat(dateLocale(), { weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(1000 * seconds);

/** Return a month (`2026-11`) in words. */
export const monthText = (month: string): string =>
  new Intl.DateTimeFormat(dateLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(dayStart(`${month}-01`));

/** Return the days of a month, and on which day of the week (from Monday, 0) it begins. */
export function daysOf(month: string): { days: string[]; offset: number } {
  const first = dayStart(`${month}-01`);
  const days: string[] = [];
  for (const day = new Date(first); day.toISOString().startsWith(month); day.setUTCDate(day.getUTCDate() + 1)) {
    days.push(day.toISOString().slice(0, 10));
  }
  return { days, offset: (first.getUTCDay() + 6) % 7 };
}

/** Return the month that is `by` months later. */
export function monthAfter(month: string, by: number): string {
  const day = dayStart(`${month}-01`);
  day.setUTCMonth(day.getUTCMonth() + by);
  return day.toISOString().slice(0, 7);
}

/** Return the result of an entry in words: points in Yamm, who won in Yam Master. */
export function resultText(kind: DuplicateEvent['kind'], result: string, x: boolean): string {
  if (kind !== 'duel') return t('ui_event_points', { count: Number(result) });
  const [winner, points = ''] = result.split(' ');
  const [first, second] = points.split('-');
  const score = (x ? [first, second] : [second, first]).join('\u{a0}:\u{a0}');
  if (winner === 'draw') return t('ui_event_drawn', { score });
  return t((winner === 'x') === x ? 'ui_event_won' : 'ui_event_lost', { score });
}

/** Return a result in a ranking, where the points stand alone. */
export const rankedText = (kind: DuplicateEvent['kind'], result: string, x: boolean): string =>
  kind === 'duel' ? resultText(kind, result, x) : result;

/** Return whether people are x in the duel of a day: on every other one. */
export const isX = (day: string | null): boolean => day !== null && (dayStart(day).getTime() / 86_400_000) % 2 === 0;

/** Return how many people have entered, in words. */
export function entrantsText({ entrants, over }: DuplicateEvent): string {
  if (entrants) return t('ui_event_entrants', { count: entrants });
  return t(over ? 'ui_event_nobody' : 'ui_event_no_entrants');
}
