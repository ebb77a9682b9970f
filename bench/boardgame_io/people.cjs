// Two people at each of many tables: `node people.cjs ours|theirs URL TABLES WARM SECONDS`. Each line that it reads says what to do, each line
// that it prints what came of it: `warm` and `tables`, how many tables there are, the first ones or all; `paced`, {told, safe: seconds from a
// command until the other seat was told, and until it was also written, at one action a second}; `flat`, {actions: how many, seconds: in how
// long, as fast as answers come, until the first game is over}.

const readline = require('node:readline');
const { clock } = require('./told.cjs');

const [whose, url, tables, warm, seconds] = [...process.argv.slice(2, 4), ...process.argv.slice(4).map(Number)];
const { saved, table } = require(`./${whose}.cjs`);
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// One action of whoever is to act: when it was sent, when the other seat was told of which number; undefined where the game is over.
async function act(seats) {
  const begin = clock();
  for (const [at, seat] of seats.entries()) {
    const number = seat.number + 1;
    const acted = seat.act();
    if (acted === null) return undefined;
    if (acted) {
      await Promise.all(seats.map((each) => each.upTo(number)));
      return { begin, seat, number, told: seats[1 - at].at };
    }
  }
  throw new Error('nobody is to act');
}

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
  await sleep(500); // the last one may be on its way
  const written = await saved(url);
  return {
    told: acts.map(({ begin, told }) => (told - begin) / 1000),
    safe: acts.map(({ begin, seat, number, told }) => (Math.max(told, written(seat, number)) - begin) / 1000),
  };
}

async function flatOut(all) {
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
    while (all.length < count) all.push(await table(url));
    return all.length;
  };
  const steps = {
    warm: () => upToTables(warm),
    tables: () => upToTables(warm + tables),
    paced: () => paced(all),
    flat: () => flatOut(all),
  };
  for await (const line of readline.createInterface({ input: process.stdin })) console.log(JSON.stringify(await steps[line]()));
  process.exit(0);
}

main();
