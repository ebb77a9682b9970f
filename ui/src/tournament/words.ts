/** Words for the parts of a tournament: format, game, results, points, causes and times. */
import { gameTitle } from '../lib/games.svelte';
import { dateLocale, t } from '../lib/messages.svelte';
import type { Cause, Clock, Format, Result, TieBreak, TournamentPairing, TournamentSummary } from '../lib/protocol';
import { clockText, optionTexts } from '../lobby/describe';
import { isolate } from '../table/labels';

type Key<Name extends string> = Name extends `${infer Start}-${infer Rest}` ? `${Start}_${Key<Rest>}` : Name;
const keyOf = <Name extends string>(name: Name): Key<Name> => name.replaceAll('-', '_') as Key<Name>;

export const formatName = (format: Format): string => t(`ui_tournament_format_${keyOf(format)}`);

/** Return the format, and the length of an arena that is not over, in minutes as in the form. `seconds` is its length. */
export function formatText(format: Format, seconds: number, stage: TournamentSummary['stage']): string {
  if (format !== 'arena' || !seconds || stage === 'over') return formatName(format);
  const time = t('ui_table_minutes', { minutes: Math.ceil(seconds / 60) });
  return `${formatName(format)} · ${t('ui_tournament_lasts', { time })}`;
}

export const tieBreakName = (kind: TieBreak): string => t(`ui_tournament_tie_${keyOf(kind)}`);

/** Return what is played: the game, options that differ from the usual ones, the clock, the dice. */
export function gameText(game: string, clock: Clock | null | undefined, dice: TournamentSummary['dice'] | undefined): string {
  const parts = [gameTitle(game), ...optionTexts(game)];
  if (clock) parts.push(clockText(clock));
  if (dice === 'table') parts.push(t('ui_start_dice_table'));
  if (dice === 'results') parts.push(t('ui_tournament_dice_results'));
  return parts.join(' · ');
}

/** Return how far a tournament is. */
export function stageText({ stage, how, format, round, rounds }: { stage: TournamentSummary['stage']; how: string | null; format: Format; round: number; rounds: number }): string {
  if (how === 'cancelled') return t('ui_tournament_cancelled');
  if (stage !== 'running' || format === 'arena') return t(`ui_tournament_stage_${stage}`);
  return t('ui_tournament_round_of', { round, rounds: Math.max(round, rounds) });
}

/** Return points with halves as a fraction: 3½. */
export function pointsText(points: number): string {
  const whole = Math.floor(points);
  const half = points - whole ? '½' : '';
  return `${whole || !half ? whole : ''}${half}`;
}

const SCORES: Record<Result, string> = { won: '1 – 0', drawn: '½ – ½', lost: '0 – 1', neither: '0 – 0' };
/** Return a result as points of both: 1 – 0. */
export const scoreText = (result: Result): string => SCORES[result];

/** Return a result in words. */
export function resultText(result: Result, first: string, second: string): string {
  if (result === 'won' || result === 'lost') return t('ui_tournament_wins', { name: isolate(result === 'won' ? first : second) });
  return t(`ui_tournament_${result}`);
}

/** Return how a result came about; empty for a game that was played to its end. */
export const causeText = (cause: Cause | null): string =>
  cause === null || cause === 'rules' || cause === 'entered' ? '' : t(`ui_tournament_cause_${cause}`);

/** Return the pairings of an arena as people look for them: those that are played, then the newest. */
export const newestFirst = (pairings: readonly TournamentPairing[]): TournamentPairing[] =>
  pairings.toSorted((one, other) => Number(one.result !== null) - Number(other.result !== null) || other.pairing - one.pairing);

/** Return two names as a heading of a pairing. */
export const pairText = (first: string, second: string): string => `${isolate(first)} – ${isolate(second)}`;

/** Return a time of today as hours and minutes, any other one with its date. */
export function timeText(seconds: number): string {
  const time = new Date(1000 * seconds);
  const today = time.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(dateLocale(), today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}
