/** Types of the answers of analyses and reviews (docs/analysis.md). */

export type Unit = 'chance' | 'points';

export interface Threat {
  line: number;
  points: number;
}
export interface Line {
  squares: string[];
  tokens: number;
}
export interface KeepReasons {
  endings: { action: string; probability: number; gain?: number; struck?: number }[];
  /** In Yam Master: the value of the best choice if the turn cannot stop a line of the opponent that lacks one token. */
  unstopped?: number | null;
  gain?: number;
  later?: number | null;
}
export interface CellReasons {
  points: number;
  bonus: number;
  first_throw_yamm: number;
  lost: number;
  gain: number;
  strikes: boolean;
  strikes_both: boolean;
  later: number;
  gives_up: number;
  upper: {
    column: string;
    before: number;
    after: number;
    reach_before: number;
    reach_after: number;
    next: { needed: number; bonus: number; missing: number } | null;
  } | null;
}
export interface SquareReasons {
  wins: boolean;
  over: boolean;
  points: number;
  denied: number;
  denied_line: boolean;
  made: Line[];
  stopped: Line[];
  threat: Threat | null;
  chance: Threat | null;
  /** As that of a keep. */
  unstopped?: number | null;
}
/** A fact that decides for or against a choice. `good`: `null` for a sum, whose subject is not the choice. */
export interface Fact {
  code: string;
  good: boolean | null;
  values: {
    chance?: number;
    other?: string;
    other_chance?: number;
    now?: number;
    later?: number;
    worth?: number;
    unit?: Unit;
    line?: string[];
    column?: string;
    [name: string]: unknown;
  };
}
export interface Choice {
  action: string;
  value: number;
  loss: number;
  /** The expected total of the sheet, in Yamm only. */
  points?: number | null;
  reasons: KeepReasons | CellReasons | SquareReasons | null;
  /** The facts that decide, the most important first. */
  why: Fact[];
}
export interface Analysis {
  game: string;
  position: string;
  unit: Unit;
  foreign_options: string[];
  value: number;
  sensible: number;
  forced: boolean;
  choices: Choice[];
}

/** By name of a figure or row its chance, and in Yamm its mean points. */
export type Odds = Record<string, { probability: number; mean?: { decimal: number } }>;

export interface Decision {
  turn?: number;
  player: number;
  kind: 'first_keep' | 'second_keep' | 'ending' | 'defi' | 'correction';
  position: string;
  played: string;
  best: string;
  values: Record<string, number>;
  loss: number;
  counts: boolean;
  superseded: boolean;
  /** The facts about a correction. */
  why: Fact[];
}
export interface ReviewedTurn {
  turn: number;
  player: number;
  side: string | number;
  before: number;
  throws: { throw: number; dice: string; luck: number }[];
  decisions: Decision[];
  luck: number;
  loss: number;
}
export interface ReviewedPlayer {
  name: string | null;
  side: string | number;
  result: number | null;
  loss: number;
  losses: Record<Decision['kind'], number>;
  decisions: number;
  mean_loss: number | null;
  mean_loss_half: number | null;
  grade: string | null;
  grades: string[];
  luck: number;
  adjusted: number;
}
export interface ReviewedSide {
  side: string | number;
  players: number[];
  start: number;
  expected: number;
  result: number | null;
  luck: number;
  loss: number;
  adjusted: number;
  residual: number;
}
export interface Review {
  game: string;
  evaluation: string;
  unit: Unit;
  foreign_options: string[];
  end: string | null;
  players: ReviewedPlayer[];
  sides: ReviewedSide[];
  turns: ReviewedTurn[];
  worst: Decision[];
  residual: number;
  curve: { side: string | number; values: number[] }[];
}

/** Choices whose losses differ by less count as equal. */
export const SAME = 1e-9;

/** Return the choices in groups of equal value, best first. */
export function groups(choices: readonly Choice[]): Choice[][] {
  const found: Choice[][] = [];
  for (const choice of choices) {
    const last = found.at(-1);
    if (last && choice.loss - last[0]!.loss <= SAME) last.push(choice);
    else found.push([choice]);
  }
  return found;
}
