// Reads a JSON list of steps from standard input and prints what a FrameQueue of ui/src/playback/queue.ts shows. The clock is a plain
// number that the step `wait` moves forward. Steps: ["add", frames], ["collect", frames, quiet], ["skip"], ["wait", milliseconds].
import { readFileSync } from 'node:fs';
import { FrameQueue } from '../../ui/src/playback/queue.ts';

let now = 0;
let calls = [];
const clock = {
  now: () => now,
  after(time, call) {
    const entry = { at: now + time, call };
    calls.push(entry);
    return () => (calls = calls.filter((each) => each !== entry));
  },
};
const told = [];
const queue = new FrameQueue(
  clock,
  (frames) => told.push([now, frames.map(({ name }) => name).join(' ')]),
  () => told.push([now, 'rest']),
);
const steps = {
  add: (frames) => queue.add(frames),
  collect: (frames, quiet) => queue.collect(frames, quiet),
  skip: () => queue.skip(),
  wait(time) {
    const until = now + time;
    for (;;) {
      const due = calls.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      now = due.at;
      calls = calls.filter((each) => each !== due);
      due.call();
    }
    now = until;
  },
};
for (const [step, ...given] of JSON.parse(readFileSync(0, 'utf8'))) steps[step](...given);
process.stdout.write(JSON.stringify(told));
