/** The dice reader of the page: a worker that lives as long as the dialog. */
import type { Reading } from './dice';
import type { Picture } from './pictures';
import type { FromWorker, ToWorker } from './protocol';

export class DiceReader {
  /** Resolves when the weights are there. Rejects where they cannot be loaded. */
  readonly ready: Promise<void>;
  #worker = new Worker(new URL('./diceWorker.ts', import.meta.url), { type: 'module', name: 'diceReader' });
  #waiting = new Map<number, (reading: Reading) => void>();
  #last = 0;

  constructor() {
    this.ready = new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error('the dice reader could not be loaded'));
      this.#worker.onerror = fail;
      this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind === 'loaded') resolve();
        else if (data.kind === 'failed') fail();
        else {
          this.#waiting.get(data.id)?.(data.reading);
          this.#waiting.delete(data.id);
        }
      };
    });
  }

  /** Return the dice of a picture, whose memory passes to the worker. */
  async read(picture: Picture): Promise<Reading> {
    await this.ready;
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#worker.postMessage({ id, picture } satisfies ToWorker, [picture.data.buffer]);
    });
  }

  /** End the worker. Readings that are awaited never come. */
  close(): void {
    this.#worker.terminate();
  }
}
