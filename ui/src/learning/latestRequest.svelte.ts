/** A request that replaces the one before. The last answer stays until a new one comes. */
import { sentence } from '../lib/api';

export class LatestRequest<Answer> {
  answer = $state.raw<Answer | null>(null);
  /** The sentence to show where the request failed. */
  trouble = $state('');
  busy = $state(false);
  #stop: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Send a request after `pause` milliseconds. A new call cancels the request before. */
  ask(request: (signal: AbortSignal) => Promise<Answer>, pause = 0): void {
    this.cancel();
    const stop = new AbortController();
    this.#stop = stop;
    this.busy = true;
    const begin = async () => {
      try {
        const answer = await request(stop.signal);
        if (stop.signal.aborted) return;
        this.answer = answer;
        this.trouble = '';
      } catch (error) {
        if (stop.signal.aborted) return;
        this.answer = null;
        this.trouble = sentence(error);
      }
      this.busy = false;
    };
    if (pause) this.#timer = setTimeout(begin, pause);
    else void begin();
  }

  /** Cancel the running request. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#stop?.abort();
    this.busy = false;
  }

  clear(): void {
    this.cancel();
    this.answer = null;
    this.trouble = '';
  }
}
