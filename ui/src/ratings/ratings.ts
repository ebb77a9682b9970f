/** Ratings in words. */
import { gameTitle } from '../lib/games.svelte';
import { t, type Key } from '../lib/messages.svelte';
import type { Rating, RatingPool } from '../lib/protocol';

/** Return a rating as a whole number. Its digits are not grouped, as those of a year. */
export const whole = (value: number): string => String(Math.round(value)).replace('-', '−');

/** Return a rating, with a question mark if it is not known well yet. */
export const ratingText = ({ rating, provisional }: Rating): string => `${whole(rating)}${provisional ? '?' : ''}`;

/** Return a rating for ears. */
export const spokenRating = (found: Rating): string =>
  t(found.provisional ? 'ui_rating_about_spoken' : 'ui_rating_spoken', { rating: whole(found.rating) });

/** Return a change with its sign. */
export const signed = (change: number): string =>
  Math.round(change) === 0 ? '±0' : `${change < 0 ? '−' : '+'}${whole(Math.abs(change))}`;

/** Return what a pool holds. */
export function poolText({ game, kind, form, pace }: RatingPool): string {
  const parts = [gameTitle(game), t(`ui_rating_form_${form}` as Key), t(`ui_rating_pace_${pace}` as Key)];
  return [...parts, ...(kind === 'duplicate' ? [t('ui_rating_kind_duplicate')] : [])].join(' · ');
}
