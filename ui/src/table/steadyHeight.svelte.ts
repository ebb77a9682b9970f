/** An element that keeps the greatest height that it had in a window of this size, so that nothing beside it moves. */
import { windowSize } from '../lib/window.svelte';

/** The element takes `{@attach steady.measure}` and `tallest` as its least height. */
export class SteadyHeight {
  /** The greatest height so far, in px, not rounded. */
  tallest = $state(0);

  /** Measure the element, and begin anew when the window has another size. */
  readonly measure = (element: HTMLElement): (() => void) => {
    void windowSize().width;
    void windowSize().height;
    this.tallest = 0;
    const observer = new ResizeObserver((entries) => {
      // not the bounding box: a zoom enlarges it, and the height would grow without end
      for (const { borderBoxSize } of entries) this.tallest = Math.max(this.tallest, borderBoxSize[0]!.blockSize);
    });
    observer.observe(element, { box: 'border-box' });
    return () => observer.disconnect();
  };
}
