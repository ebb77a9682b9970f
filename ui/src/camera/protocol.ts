/** Messages between the page and the worker that reads dice. */
import type { Reading } from './dice';
import type { Picture } from './pictures';

export interface ToWorker {
  id: number;
  picture: Picture;
}

/** `loaded` comes once, before the first answer; `failed` ends the worker. */
export type FromWorker = { kind: 'loaded' } | { kind: 'failed' } | { kind: 'read'; id: number; reading: Reading };
