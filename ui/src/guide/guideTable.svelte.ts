/**
 * The table of a guided first game. The server has played the game of the script with its rules and
 * views; the page only goes through the views. A command does nothing unless the step asks for it.
 */
import { GameTable, type Command, type Event } from '../lib/gameTable.svelte';
import type { GuideScript, GuideStep, Shown, View } from '../lib/protocol';
import { moves } from '../lib/settings.svelte';

type Update = GuideStep['updates'][number];

/** Milliseconds until thrown dice lie still, with and without movement. */
const ROLLING = 950;
const LYING = 650;

/** Return whether an update begins a new scene: it has no events and a whole view. */
const begins = ({ events }: Update): boolean => events.length === 0;

export class GuideTable extends GameTable {
  /** The place of the step in the script. */
  at = $state(0);
  /** Grows when the game goes on at another place than after the last update. */
  scenes = $state(0);

  /** Whether dice that the user threw still roll. */
  #rolling = $state(false);
  #still: ReturnType<typeof setTimeout> | undefined;

  readonly #script: GuideScript;
  readonly #name: string;
  #onother: () => void;

  /**
   * `at`: the step to begin with. `name`: the name of the user. `onother` is called for a command
   * that the step does not ask for.
   */
  constructor(script: GuideScript, at: number, name: string, onother: () => void) {
    super();
    this.#script = script;
    this.#name = name;
    this.#onother = onother;
    this.jump(at);
  }

  get steps(): readonly GuideStep[] {
    return this.#script.steps;
  }

  get step(): GuideStep {
    return this.steps[this.at]!;
  }

  /** Whether everything before the step has been shown. */
  get ready(): boolean {
    return !this.playing && this.scene === null && !this.#rolling;
  }

  /** Go to a step, without playing out what happens before it. */
  jump(at: number): void {
    this.at = at;
    this.scenes += 1;
    const updates = this.steps.slice(0, at + 1).flatMap((step) => step.updates);
    const whole = updates.findLastIndex(begins);
    this.adopt([], updates.slice(whole).reduce((view, update) => this.#after(view, update), {} as View), false);
  }

  /** Go on to the next step, and play out what happens before it. */
  next(): void {
    this.at += 1;
    for (const update of this.step.updates) {
      if (begins(update)) this.scenes += 1;
      this.adopt(begins(update) ? [] : (update.events as Event[]), this.#after(begins(update) ? ({} as View) : this.view!, update), false);
    }
  }

  override close(): void {
    clearTimeout(this.#still);
    super.close();
  }

  /** Wait until dice that the user has thrown lie still. */
  #roll(): void {
    this.#rolling = true;
    clearTimeout(this.#still);
    this.#still = setTimeout(() => (this.#rolling = false), moves() ? ROLLING : LYING);
  }

  send({ type, action }: Command): Promise<number> {
    const { does, action: wanted } = this.step;
    if (type === does && (does === 'throw' || action === wanted)) {
      this.next();
      if (this.view!.turn?.throws && !this.view!.turn.waiting) this.#roll();
    } else {
      this.#redraw();
      this.#onother();
    }
    return Promise.resolve(this.view!.number);
  }

  /** Return the view with which a turn ended, if that is later than the beginning of the scene. */
  protected override positionAfter(turn: number): Promise<Shown> {
    let view = {} as View;
    let after: View | undefined;
    for (const update of this.steps.slice(0, this.at + 1).flatMap((step) => step.updates)) {
      if (begins(update)) after = undefined;
      view = this.#after(begins(update) ? ({} as View) : view, update);
      if (!begins(update) && view.turn?.number === turn + 1) after ??= view;
    }
    return after ? Promise.resolve(after) : Promise.reject(new Error('an earlier scene'));
  }

  /** Draw the view anew, so that nothing stays chosen on the screen. */
  #redraw(): void {
    const view = this.view!;
    this.adopt([], { ...view, board: view.board ? { ...view.board } : null, sheets: view.sheets ? [...view.sheets] : null }, false);
  }

  /** Return the view after an update, with the name of the user. */
  #after(view: View, update: Update): View {
    const { seats, you } = update.view!;
    const named = seats.map((seat) => (you.includes(seat.seat) ? { ...seat, name: this.#name } : seat));
    return { ...view, ...update.view, seats: named } as View;
  }
}
