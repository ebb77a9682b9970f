/**
 * The frames of an update: what the page shows one after the other, so that actions of others can
 * be watched. A computer keeps dice and throws the others in one update. The frame between shows
 * the kept dice.
 */
import { formatAction, gameName, readAction, type Action, type Keep, type OtherAction } from '../lib/notation.ts';
import type { Update, View } from '../lib/protocol';
import type { Timed } from './queue.ts';

type Event = Update['events'][number];
export type Pace = 'slow' | 'normal' | 'instant';

/** What a frame shows: a throw, kept dice, a declared Défi, a result. */
export type SceneKind = 'throw' | 'keep' | 'defi' | 'result';
export interface Scene {
  kind: SceneKind;
  seat: number;
  turn: number;
}

/** An update with the view before it. */
export interface Played {
  events: Event[];
  view: View;
  before: View | null;
  /** Whether the update is the first after a lost connection. */
  returned: boolean;
}

export interface Frame extends Timed {
  view: View;
  scene: Scene | null;
  /** The update, in its first frame. */
  update: Played | null;
}

/** Milliseconds of each scene at the normal pace. */
const TIMES: Record<SceneKind, number> = { throw: 600, keep: 400, defi: 900, result: 700 };
/** Milliseconds for which a result of the user is shown before the next player throws. */
const OWN_RESULT = 500;
const FACTORS: Record<Pace, number> = { slow: 2, normal: 1, instant: 0 };
/** Return the milliseconds for which a result is shown. */
export const resultTime = (pace: Pace): number => TIMES.result * FACTORS[pace];
/** The greatest number of finished turns that are played out. More are summarised. */
const MOST_TURNS = 3;

/** Commands of the running turn, which are not offered while frames wait. */
const TURN_COMMANDS = new Set(['throw', 'enter-dice', 'enter-die', 'act', 'take-back']);

const actionOf = (event: Event, { game }: View): Action | OtherAction | null =>
  event.type === 'acted' ? readAction(gameName(game), event.action) : null;

const keeps = (event: Event, view: View): boolean => actionOf(event, view)?.kind === 'keep';

/** Return whether the user did what the events say, on any device. */
export const isOwn = ({ events, view, before }: Played): boolean =>
  events.some((event) =>
    event.type === 'acted' ? view.you.includes(event.seat) : event.type === 'thrown' && before!.demand.seats.some((seat) => view.you.includes(seat)),
  );

/** Return whether events belong to the play: throws and actions. */
const plays = ({ type }: Event): boolean => type === 'thrown' || type === 'acted';

/** Return the number of turns that an update with a view before it has ended. */
export const turnsEnded = ({ view, before }: Pick<Played, 'view' | 'before'>): number => {
  const now = view.turn?.number ?? (view.result ? before!.turn?.number ?? 0 : 0);
  return Math.max(0, now - (before!.turn?.number ?? now));
};

/** Return whether frames would take more turns than are played out. */
export const isLong = (frames: readonly Frame[]): boolean => frames.filter(({ scene }) => scene?.kind === 'result').length > MOST_TURNS;

/** Return whether a clock of the user runs that counts seconds. */
export const isHurried = (view: View): boolean =>
  view.clock !== null && view.clock.kind !== 'days' && !view.result && view.demand.clock !== null && view.you.includes(view.demand.clock);

/** Return the frames of an update. */
export function framesOf(update: Played, pace: Pace): Frame[] {
  const { events, view, before } = update;
  const last: Frame = { view, scene: null, update, time: 0 };
  if (!before?.turn || !events.some(plays) || turnsEnded(update) > 1) return [last];
  const turn = before.turn;
  const scene = (kind: SceneKind): Pick<Frame, 'scene' | 'time'> => ({
    scene: { kind, seat: turn.seat, turn: turn.number },
    time: TIMES[kind] * FACTORS[pace],
  });
  if (events.at(-1)!.type === 'thrown') Object.assign(last, scene('throw'));
  else if (events.some((event) => plays(event) && !keeps(event, view))) Object.assign(last, scene('result'));
  if (isOwn(update)) return [{ ...last, time: last.scene?.kind === 'result' ? OWN_RESULT * FACTORS[pace] : 0 }];
  const kept = events.map((event) => actionOf(event, view)).find((action) => action?.kind === 'keep');
  if (!kept) return [last];
  const keep = scene(kept.defi ? 'defi' : 'keep');
  if (last.scene === null) return [{ ...last, ...keep }];
  return [{ ...keep, update, view: inTheAir(before, kept) }, { ...last, update: null }];
}

/** Return a view in which the kept dice lie and the others are in the air. */
const inTheAir = (before: View, keep: Keep): View => ({
  ...before,
  running: [...before.running, formatAction(keep)],
  turn: { ...before.turn!, dice: [...keep.dice], waiting: true, defi: before.turn!.defi || keep.defi },
});

/**
 * Return a view without the actions of the running turn. Corrections stay where the newest view
 * offers the same.
 */
export function withoutActions(view: View, newest: View): View {
  return {
    ...view,
    actions: [],
    corrections: view.corrections === newest.corrections ? view.corrections : [],
    may: newest.may.filter((command) => !TURN_COMMANDS.has(command)),
  };
}

/** Return several updates as one. */
export const merged = (updates: readonly Played[]): Played => ({
  events: updates.flatMap(({ events }) => events),
  view: updates.at(-1)!.view,
  before: updates[0]!.before,
  returned: updates.some(({ returned }) => returned),
});
