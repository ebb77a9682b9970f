/**
 * The announcements of a table for the live region: each throw, its result, and the player on turn,
 * once, in one utterance an update.
 */
import { gameTitle } from '../lib/games.svelte';
import { t } from '../lib/messages.svelte';
import { assertNever, formatCell, gameName, parseThrow, readAction, spaced, splitPlace, type Action, type OtherAction } from '../lib/notation';
import type { View } from '../lib/protocol';
import type { Event } from '../lib/table.svelte';
import { turnsEnded } from '../playback/frames';
import { endReason, pointsSentence, verdict } from './outcome';
import { roundedTime } from './time.svelte';
import { called, cellSpoken, columnSpoken, figureName, figureOn, levelName, pointsIn, seatOfTurn } from './labels';

/** The greatest number of events of several turns, or after a lost connection, that are announced one by one. */
const AT_ONCE = 8;

/**
 * Return the announcement of an update; empty where there is none. `missed`: the seats announced as
 * offline, which the function updates.
 */
export function narrate(
  events: readonly Event[],
  view: View,
  before: View | null,
  returned: boolean,
  missed: Set<number>,
): string {
  if (!before) return situation(view);
  const turns = turnsEnded({ view, before });
  if (events.length > AT_ONCE && turns > 1) return join([t('ui_table_said_turns', { count: turns }), situation(view)]);
  if (events.length > AT_ONCE && returned) return join([t('ui_table_said_meanwhile'), situation(view)]);
  const at = courseFrom(before);
  const sentences = events.map((event, place) => {
    const sentence = eventSentence(event, view, before, events.slice(0, place), at);
    advance(at, event, view);
    return sentence;
  });
  return join([...sentences, startingRollSentence(events), changedPoints(view, before), presenceSentences(view, before, missed), turnChangeSentence(view, before)]);
}

const join = (sentences: readonly string[]): string => sentences.filter(Boolean).join(' ');

/** Return whether the user holds this seat and no other, and is addressed as "you". */
const isMe = (view: View, seat: number | null | undefined): boolean => view.you.length === 1 && view.you[0] === seat;

/** Return the announcement for a user who has just come to the table. */
export function situation(view: View): string {
  const { demand, turn } = view;
  const game = gameTitle(view.game);
  if (view.result) return join([`${t('ui_table_over')}.`, endReason(view), verdict(view), pointsSentence(view)]);
  if (demand.what === 'seats') return join([`${game}.`, t('ui_table_said_free', { count: demand.seats.length })]);
  if (demand.what === 'commitments' || demand.what === 'seeds') return join([`${game}.`, t('ui_table_sealing')]);
  if (!turn) return join([`${game}.`, t('ui_table_said_starting')]);
  const dice = turn.throws && !turn.waiting ? t('ui_table_said_dice', { throw: turn.throws, dice: turn.dice.join(' ') }) : '';
  return join([t('ui_table_said_turn', { game, turn: turn.number }), turnSentence(view), dice, pointsSentence(view)]);
}

// --- The turn at each event: an update may bring several turns ----------------------------------

interface Course {
  turn: number;
  throws: number;
  defi: boolean;
}

const courseFrom = ({ turn }: View): Course => ({ turn: turn?.number ?? 1, throws: turn?.throws ?? 0, defi: turn?.defi ?? false });

function advance(at: Course, event: Event, view: View): void {
  if (event.type === 'thrown') {
    at.throws += parseThrow(event.dice).kind === 'void' ? 0 : 1;
  } else if (event.type === 'taken-back') {
    Object.assign(at, courseFrom(view));
  } else if (event.type === 'acted') {
    const action = readAction(gameName(view.game), event.action);
    if (action.kind === 'keep') at.defi ||= action.defi;
    else if (!isCorrection(action, view)) Object.assign(at, { turn: at.turn + 1, throws: 0, defi: false });
  }
}

/** Return whether an action moves an earlier result and does not end a turn. */
const isCorrection = (action: Action | OtherAction, view: View): boolean =>
  action.kind === 'correction' || (action.kind === 'other' && view.corrections.some((each) => each.action === action.text));

// --- Whose turn it is ---------------------------------------------------------------------------

function turnChangeSentence(view: View, before: View): string {
  const { turn, demand } = view;
  if (!turn || view.result) return '';
  if (turn.number !== before.turn?.number) return turnSentence(view);
  const writes = demand.what === 'action' && !demand.seats.includes(turn.seat) && before.demand.seats.includes(turn.seat);
  if (!writes) return '';
  return isMe(view, demand.seats[0]) ? t('ui_table_said_you_write') : t('ui_table_said_writes', { name: called(view, demand.seats[0]) });
}

function turnSentence(view: View): string {
  const { turn, demand } = view;
  if (!turn) return '';
  if (isMe(view, turn.seat)) return t('ui_table_your_turn');
  const lets = demand.what === 'throw' && !demand.seats.includes(turn.seat) && isMe(view, demand.seats[0]);
  return t(lets ? 'ui_table_said_let_throw' : 'ui_table_turn_of', { name: called(view, turn.seat) });
}

// --- Points and presence ------------------------------------------------------------------------

/** Return the points of Yam Master where they have changed. */
function changedPoints(view: View, before: View): string {
  if (view.result || !view.board || !before.board) return '';
  const { x, o } = view.board.points;
  return x === before.board.points.x && o === before.board.points.o ? '' : pointsSentence(view);
}

function presenceSentences(view: View, before: View, missed: Set<number>): string {
  if (view.result) return '';
  const sentences = view.seats.map(({ seat, away_since: since, kind }) => {
    const was = before.seats[seat];
    if (kind !== 'person' || was?.kind !== 'person' || view.you.includes(seat)) return '';
    if (since === null) return missed.delete(seat) ? t('ui_table_said_back', { name: called(view, seat) }) : '';
    if (was.away_since !== null) return '';
    missed.add(seat);
    return t('ui_table_said_away', { name: called(view, seat) });
  });
  return join(sentences);
}

// --- Events -------------------------------------------------------------------------------------

function eventSentence(event: Event, view: View, before: View, earlier: readonly Event[], at: Course): string {
  switch (event.type) {
    case 'seated':
      return isMe(view, event.seat) ? t('ui_table_said_you_sit') : t('ui_table_said_sits', { name: called(view, event.seat) });
    case 'stood-up':
      return t('ui_table_said_stands_up', { name: called(before, event.seat) });
    case 'level-seated':
      return before.seats[event.seat]?.kind === 'person'
        ? t('ui_table_said_replaced', { name: called(before, event.seat), level: levelName(event.level) })
        : t('ui_table_said_sits', { name: called(view, event.seat) });
    case 'seat-freed':
      return t('ui_table_said_freed', { name: called(before, event.seat) });
    case 'links-rotated':
      return t('ui_table_said_links');
    case 'admission-set':
      return t(event.admits ? 'ui_table_said_opened' : 'ui_table_said_closed');
    case 'started':
      return t('ui_table_said_begins');
    case 'thrown':
      return throwSentence(event.dice, view, at);
    case 'acted':
      return actionSentence(event.seat, event.action, view, before, at);
    case 'taken-back':
      return isMe(view, event.seat) ? t('ui_table_said_you_take_back') : t('ui_table_said_takes_back', { name: called(view, event.seat) });
    case 'draw-offered':
      return isMe(view, event.seat) ? t('ui_table_said_you_offer') : t('ui_table_draw_offered', { name: called(view, event.seat) });
    case 'draw-answered':
      if (view.you.length > 1 && view.you.includes(event.seat)) return '';
      if (isMe(view, event.seat)) return t(event.accept ? 'ui_table_said_you_agree' : 'ui_table_said_you_decline');
      return t(event.accept ? 'ui_table_said_agrees' : 'ui_table_said_declines', { name: called(view, event.seat) });
    case 'resigned':
      return join([
        isMe(view, event.seat) ? t('ui_table_said_you_resign') : t('ui_table_said_resigns', { name: called(view, event.seat) }),
        view.vacancy && view.may.includes('replace') ? t('ui_table_said_vacancy') : '',
      ]);
    case 'end-agreed':
      return isMe(view, event.seat)
        ? t('ui_table_said_you_agree_end')
        : t('ui_table_said_agrees_end', { name: called(view, event.seat) });
    case 'claimed':
      return claimSentence(event.seat, event.what, called(before, event.against), view);
    case 'time-up':
      return isMe(view, event.seat) ? t('ui_table_said_your_time_up') : t('ui_table_said_time_up', { name: called(view, event.seat) });
    case 'clock-held':
      return t('ui_table_said_clock_held', { length: roundedTime(event.seconds) });
    case 'ended': {
      const known = earlier.some(({ type }) => ['resigned', 'claimed', 'time-up'].includes(type));
      return join([known ? '' : endReason(view), verdict(view, known), pointsSentence(view)]);
    }
    case 'rematch-asked':
      return isMe(view, event.seat) || view.you.length > 1 ? '' : t('ui_table_said_rematch', { name: called(view, event.seat) });
    case 'next-table':
      return t('ui_table_said_next');
    default:
      return ''; // seeds and secrets are not announced
  }
}

/**
 * Return one sentence for all faces of the starting roll. The sentence about the turn then says who
 * plays first.
 */
function startingRollSentence(events: readonly Event[]): string {
  const faces = events.flatMap((each) => (each.type === 'die-thrown' ? [each.face] : []));
  return faces.length ? t('ui_table_said_starting_roll', { faces: faces.join(', ') }) : '';
}

function throwSentence(dice: string, view: View, { turn, throws }: Course): string {
  if (parseThrow(dice).kind === 'void') return t('ui_table_said_void');
  const seat = seatOfTurn(view, turn);
  const values = { name: called(view, seat), throw: throws + 1, dice: spaced(dice) };
  return t(isMe(view, seat) ? 'ui_table_said_dice' : 'ui_table_said_throws', values);
}

function claimSentence(seat: number, what: string, against: string, view: View): string {
  const name = called(view, seat);
  if (what === 'win') return t('ui_table_said_claims_win', { name, against });
  if (what === 'draw') return t('ui_table_said_claims_draw', { name, against });
  return ''; // the announcement of the computer says it
}

// --- Actions ------------------------------------------------------------------------------------

function actionSentence(seat: number, text: string, view: View, before: View, at: Course): string {
  const mine = isMe(view, seat);
  const name = called(view, seat);
  const action = readAction(gameName(view.game), text);
  switch (action.kind) {
    case 'keep':
      return keepSentence(action.dice, action.defi, mine, name);
    case 'pass':
      if (at.defi) return t('ui_table_said_defi_nothing');
      return mine ? t('ui_table_said_you_pass') : t('ui_table_said_passes', { name });
    case 'place': {
      const values = { name, square: action.square, figure: figureName(figureOn(view, action.square)) };
      return mine ? t('ui_table_said_you_place', values) : t('ui_table_said_places', values);
    }
    case 'remove': {
      const { square } = action;
      return mine ? t('ui_table_said_you_remove', { square }) : t('ui_table_said_removes', { name, square });
    }
    case 'write': {
      const what = resultSentence(seatOfTurn(view, at.turn), formatCell(action.cell), view, before);
      return mine ? what : t('ui_table_said_by', { name, what });
    }
    case 'correction': {
      const { turn, cell } = action;
      return join([
        mine ? t('ui_table_said_you_move', { turn }) : t('ui_table_said_moves', { name, turn }),
        resultSentence(seatOfTurn(view, turn), formatCell(cell), view, before),
      ]);
    }
    case 'other':
      return mine ? t('ui_table_said_you_act', { action: action.text }) : t('ui_table_said_acts', { name, action: action.text });
    default:
      return assertNever(action);
  }
}

function keepSentence(dice: readonly number[], defi: boolean, mine: boolean, name: string): string {
  if (mine) return defi ? t('ui_table_said_you_defi') : '';
  const keeps = dice.length ? t('ui_table_said_keeps', { name, dice: dice.join(' ') }) : t('ui_table_said_keeps_none', { name });
  return join([defi ? t('ui_table_said_defi', { name }) : '', keeps]);
}

/** Return the effects of a result, which are the differences between two views of the sheet. */
function resultSentence(seat: number, cell: string, view: View, before: View): string {
  const { column } = splitPlace(cell);
  const now = view.sheets?.find(({ seats }) => seats.includes(seat));
  const was = before.sheets?.find(({ seats }) => seats.includes(seat));
  if (!now || !was) return '';
  const points = pointsIn(view, seat, cell);
  const others = Object.entries(now.columns[column] ?? {}).filter(
    ([row, value]) => value === 0 && was.columns[column]?.[row] && `${column}.${row}` !== cell,
  );
  const struck = [cell, ...others.map(([row]) => `${column}.${row}`)];
  const sentences = [
    points
      ? t('ui_table_said_writes_points', { cell: cellSpoken(cell), count: points })
      : t('ui_table_said_struck', { cell: struck.map(cellSpoken).join(', ') }),
  ];
  if (now.first_throw_yamms > was.first_throw_yamms) sentences.push(t('ui_table_said_first_throw_yamm'));
  const bonus = now.bonus[column];
  if (bonus != null && was.bonus[column] == null) sentences.push(t('ui_table_said_bonus', { column: columnSpoken(column), bonus }));
  const total = now.column_totals[column];
  if (total != null && was.column_totals[column] == null) {
    sentences.push(t('column_known', { column: columnSpoken(column), total }) + '.');
  }
  return join(sentences);
}
