/** An element that keeps the greatest height that it had in a window of this size, so that nothing beside it moves. */
import { untrack } from 'svelte';

/** Heights in px. A component makes it while it is set up, and binds the sizes of the window and of the element. */
export class SteadyHeight {
  windowWidth = $state(0);
  windowHeight = $state(0);
  height = $state(0);
  /** The greatest height so far. */
  tallest = $state(0);

  constructor() {
    $effect(() => {
      void this.windowWidth;
      void this.windowHeight;
      this.tallest = 0;
    });
    $effect(() => {
      this.tallest = Math.max(untrack(() => this.tallest), this.height);
    });
  }
}
