/** The steps of a review: one for each decision with its throw, and one for the end. */
import { SAME, type Decision, type Review, type ReviewedTurn } from './analysisTypes';

export interface Step {
  turn: ReviewedTurn;
  /** `null` at the end, and where the game ended in the middle of a turn. */
  decision: Decision | null;
  throw: { throw: number; dice: string; luck: number } | null;
  /** Whether a void throw preceded it. */
  void: boolean;
  /** The index of the curve, and the place on it. */
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

/** Return the steps of the costliest decisions of the game. */
export const momentsOf = (steps: readonly Step[], worst: readonly Decision[]): Moment[] =>
  worst.map((moment) => ({
    decision: moment,
    step: steps.findIndex(
      ({ turn, decision }) =>
        turn.turn === moment.turn && decision?.kind === moment.kind && decision.position === moment.position && decision.played === moment.played,
    ),
  }));

/** Return the costliest decisions of one player. */
export const costliest = (steps: readonly Step[], player: number): Moment[] =>
  steps
    .flatMap(({ turn, decision }, step) => (decision?.player === player ? [{ decision: { ...decision, turn: turn.turn }, step }] : []))
    .filter(({ decision }) => decision.loss > SAME)
    .sort((one, other) => other.decision.loss - one.decision.loss)
    .slice(0, MOMENTS);

/** Return the position of a step, and the action to apply to it, if any. */
export function placeOfStep(steps: readonly Step[], at: number): { position: string; after: string | null } | null {
  const decision = steps[at]?.decision;
  if (decision) return { position: decision.position, after: null };
  const before = steps.slice(0, at).findLast((step) => step.decision)?.decision;
  return before ? { position: before.position, after: before.played } : null;
}
