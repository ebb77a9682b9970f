// Prints for each sound of ui/src/sounds/synthesis.ts, as one line of JSON, its name and its samples at 44.1 kHz.
// Arguments: the seed of the random numbers, and the number of dice.
import { SOUNDS, samples } from '../../ui/src/sounds/synthesis.ts';

const [seed, dice] = process.argv.slice(2).map(Number);
let state = seed;
const random = () => {
  state = (state * 1664525 + 1013904223) >>> 0;
  return state / 2 ** 32;
};
for (const name of Object.keys(SOUNDS)) {
  const made = Array.from(samples(name, 44_100, dice, random), (sample) => Math.round(sample * 1e6) / 1e6);
  process.stdout.write(`${JSON.stringify([name, made])}\n`);
}
