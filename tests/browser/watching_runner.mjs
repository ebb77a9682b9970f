// Reads from standard input what is expected and a JSON list of readings, each with its time in milliseconds, and prints what the
// Watcher of ui/src/camera/watching.ts tells after each: the sight, and its dice as text.
import { readFileSync } from 'node:fs';
import { Watcher } from '../../ui/src/camera/watching.ts';

const { expected, readings } = JSON.parse(readFileSync(0, 'utf8'));
const watcher = new Watcher(expected);
const told = readings.map(({ now, ...reading }) => {
  const { sight, dice } = watcher.see(reading, now);
  return [sight, dice.map(({ face, doubtful }) => `${face}${doubtful ? '?' : ''}`).join(' ')];
});
process.stdout.write(JSON.stringify(told));
