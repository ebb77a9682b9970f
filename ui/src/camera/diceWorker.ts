/** The worker that reads dice: it loads the weights once, and answers each picture with its dice. */
import weights from '../../../src/dicecup/vision/weights.bin?url';
import { readModel, type Model } from './network';
import type { FromWorker, ToWorker } from './protocol';
import { read } from './reading';

const post = (message: FromWorker): void => self.postMessage(message);

async function load(): Promise<Model> {
  const answer = await fetch(weights);
  if (!answer.ok) throw new Error(`${answer.status} ${weights}`);
  return readModel(await answer.arrayBuffer());
}

const model = load();
model.then(
  () => post({ kind: 'loaded' }),
  (error: unknown) => {
    console.warn(error);
    post({ kind: 'failed' });
  },
);

self.onmessage = async ({ data: { id, picture } }: MessageEvent<ToWorker>) => {
  post({ kind: 'read', id, reading: read(await model, picture) });
};
