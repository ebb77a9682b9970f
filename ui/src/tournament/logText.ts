/** Sentences for the events of a tournament (docs/protocol.md lists the events). */
import { t } from '../lib/messages.svelte';
import type { Cause, Format, LoggedTournamentEvent, Result } from '../lib/protocol';
import { isolate } from '../table/labels';
import { causeText, pairText, resultText, timeText } from './words';

interface Duel {
  pairing: number;
  first: number;
  second: number;
}
type Pairs = Map<number, [string, string]>;
type NameOf = (entrant: number) => string;
/** The fields of all events. Each event has some of them. */
interface Fields {
  type: string;
  entrant: number;
  name: string;
  handle: string;
  why: 'own' | 'organiser' | 'absent' | 'banned';
  at: number | null;
  round: number;
  duels: Duel[];
  byes: number[];
  games: unknown[];
  pairing: number;
  game: number;
  result: Result;
  before: Result;
  cause: Cause;
  points: number[];
  by: number | null;
  remark: string;
  seconds: number;
  how: string;
  setup: { format: Format };
}

export interface LogLine {
  number: number;
  time: number;
  text: string;
}

/** Return the lines of the log, without events that are for the server alone. */
export function sentencesOf(events: readonly LoggedTournamentEvent[], nameOf: NameOf): LogLine[] {
  const pairs: Pairs = new Map();
  let isArena = false;
  return events.flatMap(({ number, time, event }) => {
    const fields = event as unknown as Fields;
    for (const { pairing, first, second } of fields.type === 'paired' ? fields.duels : []) pairs.set(pairing, [nameOf(first), nameOf(second)]);
    if (fields.type === 'created') isArena = fields.setup.format === 'arena';
    if (fields.type === 'round-started' && isArena) return [{ number, time, text: t('ui_tournament_begun_arena') }];
    const text = textOf(fields, pairs, nameOf);
    return text ? [{ number, time, text }] : [];
  });
}

function textOf(event: Fields, pairs: Pairs, nameOf: NameOf): string {
  const [first, second] = pairs.get(event.pairing) ?? ['?', '?'];
  const names = pairText(first, second);
  const name = isolate(event.entrant ? nameOf(event.entrant) : (event.name ?? event.handle ?? ''));
  switch (event.type) {
    case 'created':
      return t('ui_tournament_log_created');
    case 'organiser-left':
      return t('ui_tournament_log_organiser_left');
    case 'organiser-named':
      return t('ui_tournament_log_organiser_named', { name: isolate(event.handle) });
    case 'entered':
      return t('ui_tournament_log_entered', { name });
    case 'withdrawn':
      return t(event.why === 'own' ? 'ui_tournament_log_withdrawn' : `ui_tournament_log_withdrawn_${event.why}`, { name });
    case 'returned':
      return t('ui_tournament_log_returned', { name });
    case 'renamed':
      return t('ui_tournament_log_renamed', { name: isolate(event.name) });
    case 'scheduled':
      return event.at === null ? t('ui_tournament_log_scheduled_hand') : t('ui_tournament_log_scheduled', { time: timeText(event.at) });
    case 'round-started':
      return t('ui_tournament_log_round_started', { round: event.round });
    case 'paired':
      return pairedText(event, nameOf);
    case 'tables-opened':
      return t('ui_tournament_log_tables_opened', { count: event.games.length });
    case 'game-ended':
      return gameText(event, first, second, nameOf);
    case 'forfeited':
      return t('ui_tournament_log_decided', { names, result: resultText(event.result, first, second), cause: causeText(event.cause) });
    case 'corrected': {
      const [before, result] = [resultText(event.before, first, second), resultText(event.result, first, second)];
      return t('ui_tournament_log_corrected', { names, before, result, remark: event.remark });
    }
    case 'round-deleted':
      return t('ui_tournament_log_round_deleted', { round: event.round, remark: event.remark });
    case 'time-held':
      return t('ui_tournament_log_time_held', { seconds: Math.round(event.seconds) });
    case 'finished':
      return t(event.how === 'cancelled' ? 'ui_tournament_log_cancelled' : 'ui_tournament_log_finished');
    default:
      return '';
  }
}

function pairedText({ duels, byes }: Fields, nameOf: NameOf): string {
  const parts = [];
  if (duels.length) parts.push(t('ui_tournament_log_paired', { pairs: duels.map(({ first, second }) => pairText(nameOf(first), nameOf(second))).join(', ') }));
  if (byes.length) parts.push(t('ui_tournament_log_byes', { names: byes.map((entrant) => isolate(nameOf(entrant))).join(', ') }));
  return parts.join('. ');
}

function gameText({ game, result, points, cause, by }: Fields, first: string, second: string, nameOf: NameOf): string {
  const found = t('ui_tournament_log_game', { names: pairText(first, second), game, result: resultText(result, first, second) });
  const more = [points.join(' : '), causeText(cause), by === null ? '' : t('ui_tournament_log_by', { name: isolate(nameOf(by)) })].filter(Boolean);
  return more.length ? `${found} (${more.join(', ')})` : found;
}
