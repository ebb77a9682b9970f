/** The place of the dice with their buttons, which share the window with the sheet. */
import { matching, windowSize } from '../lib/window.svelte';
import { SteadyHeight } from '../table/steadyHeight.svelte';

/** In px: the least height of the sheet above the dice, of the dice once they are there, and of the header of the page. */
const LEAST_SHEET = 104;
const LEAST_DICE = 140;
const BAR = 48;

const isBeside = matching('(min-width: 560px) and (min-aspect-ratio: 11/10)');

export class Dock extends SteadyHeight {
  /** Return whether the dice are not there yet. */
  get isEmpty(): boolean {
    return this.tallest < LEAST_DICE;
  }

  /** Return whether the dice come before the sheet, because the window is too low for both. */
  get isFirst(): boolean {
    return !isBeside() && this.tallest + LEAST_SHEET > windowSize().height - BAR;
  }
}
