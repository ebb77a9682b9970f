/** The place of the dice with their buttons, which share the window with the sheet. */
import { MediaQuery } from 'svelte/reactivity';
import { SteadyHeight } from '../table/steadyHeight.svelte';

/** In px: the least height of the sheet above the dice, of the dice once they are there, and of the header of the page. */
const LEAST_SHEET = 104;
const LEAST_DICE = 140;
const BAR = 48;

export class Dock extends SteadyHeight {
  readonly #beside = new MediaQuery('(min-width: 560px) and (min-aspect-ratio: 11/10)');

  /** Return whether the dice are not there yet. */
  get isEmpty(): boolean {
    return this.tallest < LEAST_DICE;
  }

  /** Return whether the dice come before the sheet, because the window is too low for both. */
  get isFirst(): boolean {
    return this.windowHeight > 0 && !this.#beside.current && this.tallest + LEAST_SHEET > this.windowHeight - BAR;
  }
}
