// Two clients at each of many tables: `node clients.cjs KIND URL TABLES WARM SECONDS`. KIND is the module of the
// clients, `dicecup` or `boardgame_io`. Each input line names a step, each output line is the JSON result of a step:
//
// - `warm`, `tables`: create the first WARM or all WARM + TABLES tables; the result is the number of tables.
// - `paced`: play one action per second and table. The result {broadcast, durable} holds for each action the seconds
//   until the other seat received it, and until it was also written.
// - `unpaced`: play as fast as the server answers, until the first game ends or SECONDS have passed. The result is
//   {actions, seconds}.

const readline = require('node:readline');
const { clock } = require('./common.cjs');

const [kind, url, tables, warm, seconds] = [...process.argv.slice(2, 4), ...process.argv.slice(4).map(Number)];
const { createTable, writeTimes } = require(`./${kind}.cjs`);
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Play one action of the seat that can act. Return when it was sent and when the other seat received it, or undefined
// if the game is over.
async function act(seats) {
  const begin = clock();
  for (const [at, seat] of seats.entries()) {
    const number = seat.number + 1;
    const acted = seat.act();
    if (acted === null) return undefined;
    if (acted) {
      await Promise.all(seats.map((each) => each.upTo(number)));
      return { begin, seat, number, received: seats[1 - at].receivedAt };
    }
  }
  throw new Error('no seat can act');
}

// Play one action per second and table, and return the latencies.
async function paced(all) {
  const acts = [];
  const start = clock() + 500;
  const play = async (seats, at) => {
    for (let second = 0; second < seconds; second++) {
      await sleep(Math.max(0, start + 1000 * (second + at / all.length) - clock()));
      acts.push(await act(seats));
    }
  };
  await Promise.all(all.map(play));
  await sleep(500); // until the last action is written
  const writtenAt = await writeTimes(url);
  return {
    broadcast: acts.map(({ begin, received }) => (received - begin) / 1000),
    durable: acts.map(({ begin, seat, number, received }) => (Math.max(received, writtenAt(seat, number)) - begin) / 1000),
  };
}

// Play as fast as the server answers, and return the number of actions and the seconds.
async function unpaced(all) {
  let actions = 0;
  const begin = clock();
  let ended = false;
  const play = async (seats) => {
    while (!ended && clock() < begin + 1000 * seconds) {
      if ((await act(seats)) === undefined) ended = true;
      else actions += 1;
    }
  };
  await Promise.all(all.map(play));
  return { actions, seconds: (clock() - begin) / 1000 };
}

async function main() {
  const all = [];
  const upToTables = async (count) => {
    while (all.length < count) all.push(await createTable(url));
    return all.length;
  };
  const steps = {
    warm: () => upToTables(warm),
    tables: () => upToTables(warm + tables),
    paced: () => paced(all),
    unpaced: () => unpaced(all),
  };
  for await (const line of readline.createInterface({ input: process.stdin })) console.log(JSON.stringify(await steps[line]()));
  process.exit(0);
}

main();
