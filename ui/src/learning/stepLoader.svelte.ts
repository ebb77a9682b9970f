/** Loads the position of a step of a review, and the reasons for its decision. */
import { api } from '../lib/api';
import type { Shown } from '../lib/protocol';
import type { Analysis, Choice, Review } from './analysisTypes';
import { LatestRequest } from './latestRequest.svelte';
import { placeOfStep, type Step } from './steps';

/** Milliseconds before a step is analysed, so that steps that are passed by cost nothing. */
const PASSING = 150;

export class StepLoader {
  readonly drawn = new LatestRequest<{ at: number; shown: Shown }>();
  readonly reasons = new LatestRequest<Analysis>();
  readonly #review: Review;
  readonly #steps: readonly Step[];
  readonly #host: string;
  readonly #known = new Map<string, Promise<Shown>>();

  /** `host`: what comes before the addresses of requests; empty for the server. */
  constructor(review: Review, steps: readonly Step[], host: string) {
    this.#review = review;
    this.#steps = steps;
    this.#host = host;
  }

  /** Load a step. The last position stays until the new one comes. */
  load(at: number): void {
    const asked = this.#position(at);
    if (asked) this.drawn.ask(async () => ({ at, shown: await asked }));
    else this.drawn.clear();
    this.#position(at + 1)?.catch(() => undefined);
    const decision = this.#steps[at]?.decision;
    if (!decision || decision.kind === 'correction') return this.reasons.clear();
    const body = { game: this.#review.game, position: decision.position, alone: true };
    this.reasons.ask((signal) => api<Analysis>(`${this.#host}/api/analysis`, { body, signal }), PASSING);
  }

  cancel(): void {
    this.drawn.cancel();
    this.reasons.cancel();
  }

  /** Return the analysis of a position, `null` until it is known. */
  analysisOf(position: string | undefined): Analysis | null {
    return position !== undefined && this.reasons.answer?.position === position ? this.reasons.answer : null;
  }

  /** Return the choice of an action with its reasons. */
  choiceOf(position: string | undefined, action: string): Choice | undefined {
    return this.analysisOf(position)?.choices.find((choice) => choice.action === action && choice.reasons);
  }

  /** Return the position of a step. Each position is requested once. */
  #position(at: number): Promise<Shown> | null {
    const place = at < this.#steps.length ? placeOfStep(this.#steps, at) : null;
    if (!place) return null;
    const key = `${place.position} ${place.after}`;
    const asked = this.#known.get(key) ?? api<Shown>(`${this.#host}/api/show`, { body: { game: this.#review.game, ...place } });
    this.#known.set(key, asked);
    asked.catch(() => this.#known.delete(key));
    return asked;
  }
}
