/** Things that are shown one after the other: lines of a board, columns of a sheet. */
export class Steps {
  /** The number of things that are shown; `null` where all are. */
  done = $state<number | null>(null);

  #ended: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Show one thing after the other, each for some milliseconds, and nothing for `delay` milliseconds
   * before. The promise is kept when all are shown, or after `end()`.
   */
  start(count: number, milliseconds: number, delay = 0): Promise<void> {
    this.end();
    return new Promise((ended) => {
      this.#ended = ended;
      this.done = 0;
      const step = (): void => {
        if (this.done === count) return this.end();
        this.done = this.done! + 1;
        this.#timer = setTimeout(step, milliseconds);
      };
      if (delay) this.#timer = setTimeout(step, delay);
      else step();
    });
  }

  /** Show all at once. */
  end = (): void => {
    clearTimeout(this.#timer);
    this.done = null;
    this.#ended?.();
    this.#ended = undefined;
  };
}
