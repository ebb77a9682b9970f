/**
 * A queue of frames that are shown one after the other, each for its time. It knows no view and no
 * page, and its clock is handed in.
 */

export interface Clock {
  /** Return the time in milliseconds. */
  now(): number;
  /** Call a function after some milliseconds. Return a function that prevents it. */
  after(time: number, call: () => void): () => void;
}

export interface Timed {
  /** The milliseconds for which the frame is shown before the next one. */
  time: number;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(time, call) {
    const timer = setTimeout(call, time);
    return () => clearTimeout(timer);
  },
};

export class FrameQueue<Frame extends Timed> {
  #clock: Clock;
  #show: (frames: Frame[]) => void;
  #rest: () => void;
  #waiting: Frame[] = [];
  /** Ends the wait for the time of the frame on the screen; `null` while none is waited for. */
  #cancel: (() => void) | null = null;
  #collecting = false;

  /**
   * `show` gets the frames that are due, oldest first. The last one is the frame to show; the
   * others were skipped. `rest` is called when the last frame has been shown for its time.
   */
  constructor(clock: Clock, show: (frames: Frame[]) => void, rest: () => void) {
    this.#clock = clock;
    this.#show = show;
    this.#rest = rest;
  }

  /** Return the frames that wait to be shown. */
  get waiting(): readonly Frame[] {
    return this.#waiting;
  }

  /** Return whether frames are collected and not shown one by one. */
  get collecting(): boolean {
    return this.#collecting;
  }

  /** Add frames and show what is due. */
  add(frames: readonly Frame[]): void {
    this.#waiting.push(...frames);
    if (this.#cancel === null) this.#next();
  }

  /**
   * Add frames that are not shown one by one: when no more have come for a time, the newest is
   * shown.
   */
  collect(frames: readonly Frame[], quiet: number): void {
    this.#waiting.push(...frames);
    this.#cancel?.();
    this.#collecting = true;
    this.#cancel = this.#clock.after(quiet, () => this.skip());
  }

  /** Show the newest frame at once, and end its time. */
  skip(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#collecting = false;
    const frames = this.#waiting.splice(0);
    if (frames.length) this.#show(frames);
    this.#rest();
  }

  /** Forget all frames. */
  close(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#waiting = [];
  }

  /** Show the next frame with a time, and with it the frames before that have none. */
  #next(): void {
    this.#cancel = null;
    const found = this.#waiting.findIndex(({ time }) => time > 0);
    const frames = this.#waiting.splice(0, found < 0 ? this.#waiting.length : found + 1);
    if (frames.length) this.#show(frames);
    const time = frames.at(-1)?.time ?? 0;
    if (this.#cancel !== null) return; // showing the frame has added or skipped frames
    if (time > 0) {
      this.#cancel = this.#clock.after(time, () => this.#next());
    } else {
      this.#rest();
    }
  }
}
