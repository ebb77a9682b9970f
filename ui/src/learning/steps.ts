/** A review as a walk: one step a decision, with the throw that led to it, and one for the end. */
import { SAME, type Decision, type Review, type ReviewedTurn } from './analysisTypes';

export interface Step {
  turn: ReviewedTurn;
  /** None where the game ended in mid-turn, and at the end. */
  decision: Decision | null;
  throw: { throw: number; dice: string; luck: number } | null;
  /** A throw before it was void. */
  void: boolean;
  /** Which curve, and where on it. */
  curve: number;
  at: number;
}

const VOID = '~';

export function stepsOf(review: Review): Step[] {
  const found: Step[] = [];
  const sides = review.curve.length;
  for (const turn of review.turns) {
    const throws = [...turn.throws];
    const curve = sides === 1 ? 0 : Number(turn.side);
    const at = Math.floor((turn.turn - 1) / sides);
    for (const decision of turn.decisions) {
      let passed = false;
      while (decision.kind !== 'correction' && throws[0]?.dice === VOID) {
        throws.shift();
        passed = true;
      }
      const thrown = decision.kind === 'correction' ? null : (throws.shift() ?? null);
      found.push({ turn, decision, throw: thrown, void: passed, curve, at });
    }
    for (const thrown of throws) {
      if (thrown.dice !== VOID) found.push({ turn, decision: null, throw: thrown, void: false, curve, at });
    }
  }
  const last = review.turns.at(-1);
  if (last) found.push({ turn: last, decision: null, throw: null, void: false, curve: sides === 1 ? 0 : Number(last.side), at: Math.floor((last.turn - 1) / sides) + 1 });
  return found;
}

export interface Moment {
  decision: Decision;
  step: number;
}
const MOMENTS = 3;

/** Where the costliest moments of the whole game are. */
export const momentsOf = (steps: readonly Step[], worst: readonly Decision[]): Moment[] =>
  worst.map((moment) => ({
    decision: moment,
    step: steps.findIndex(
      ({ turn, decision }) =>
        turn.turn === moment.turn && decision?.kind === moment.kind && decision.position === moment.position && decision.played === moment.played,
    ),
  }));

/** The costliest moments of one player. */
export const costliest = (steps: readonly Step[], player: number): Moment[] =>
  steps
    .flatMap(({ turn, decision }, step) => (decision?.player === player ? [{ decision: { ...decision, turn: turn.turn }, step }] : []))
    .filter(({ decision }) => decision.loss > SAME)
    .sort((one, other) => other.decision.loss - one.decision.loss)
    .slice(0, MOMENTS);

/** The position that a step shows, and the action after which it is, if any. */
export function placeOfStep(steps: readonly Step[], at: number): { position: string; after: string | null } | null {
  const decision = steps[at]?.decision;
  if (decision) return { position: decision.position, after: null };
  const before = steps.slice(0, at).findLast((step) => step.decision)?.decision;
  return before ? { position: before.position, after: before.played } : null;
}
