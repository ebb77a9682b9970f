// Plays the worker of ui/src/device/device.svelte.ts. Reads a JSON list of steps from standard input and prints what the page heard.
// Steps: ["ask", path]; ["open", table]; ["worker", N, message]: worker N posts a message; ["list"]: the tables for a list, where nothing
// can be stored; ["sitters", …]: of ui/src/start/sittersHere.ts. The page hears ["answer", text], ["refused", code, sentence],
// ["message", text], ["closed", code], and ["started", count] at the end.
import { readFileSync } from 'node:fs';
import { sittersHere } from '../../ui/src/start/sittersHere.ts';
import { bundled } from './bundle.mjs';

const workers = [];
globalThis.Worker = class {
  constructor() {
    workers.push(this);
  }
  postMessage() {}
  terminate() {}
};
globalThis.location = new URL('http://page.example/');
globalThis.indexedDB = {
  open() {
    throw new DOMException('no', 'SecurityError');
  },
};
const { askDevice, DeviceConnection } = await bundled('/ui/src/device/device.svelte.ts');
const { tablesHere } = await bundled('/ui/src/device/tablesHere.ts');

const heard = [];
const refused = ({ code, message }) => heard.push(['refused', code, message]);
const steps = {
  ask: (path) =>
    void askDevice(path, 'GET', undefined).then(async (answer) => heard.push(['answer', await answer.text()]), refused),
  open(table) {
    const connection = new DeviceConnection(table);
    connection.onmessage = ({ data }) => heard.push(['message', data]);
    connection.onclose = ({ code }) => heard.push(['closed', code]);
  },
  list: () => void tablesHere().then((tables) => heard.push(['tables', tables]), refused),
  sitters: (...given) => void heard.push(sittersHere(...given)),
  worker: (number, data) => workers[number].onmessage({ data }),
};
for (const [step, ...given] of JSON.parse(readFileSync(0, 'utf8'))) {
  steps[step](...given);
  await new Promise((done) => setImmediate(done)); // promises are settled
}
heard.push(['started', workers.length]);
process.stdout.write(JSON.stringify(heard));
