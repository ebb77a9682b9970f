// Two people at each of many tables: `node people.cjs URL TABLES WARM SECONDS`. Each line that it reads lets it go on; each line that it
// prints is what it has done: the first tables are there, all are, {times: seconds from a command to the other seat's event, at one action
// a second}, {actions: how many, seconds: in how long, as fast as answers come, until the first game is over}.

const readline = require('node:readline');
const { Client } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const { game, lastOpen } = require('./game.cjs');

const [url, tables, warm, seconds] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function post(path, body) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

// A seat: its client, when it was told which state, and who waits for it.
function sit(matchID, playerID, credentials) {
  const multiplayer = SocketIO({ server: url, socketOpts: { transports: ['websocket'], forceNew: true } });
  const client = Client({ game, multiplayer, matchID, playerID, credentials, numPlayers: 2, debug: false });
  const seat = { client, number: -1, told: 0, waiting: null };
  client.subscribe((state) => {
    if (state === null || !state.isConnected || state._stateID <= seat.number) return;
    seat.number = state._stateID;
    seat.told = performance.now();
    if (seat.waiting !== null && seat.number >= seat.waiting.number) {
      seat.waiting.resolve();
      seat.waiting = null;
    }
  });
  client.start();
  return seat;
}

function upTo(seat, number) {
  if (seat.number >= number) return null;
  return new Promise((resolve) => {
    seat.waiting = { number, resolve };
  });
}

async function table() {
  const { matchID } = await post('/games/yamm/create', { numPlayers: 2 });
  const seats = [];
  for (const playerID of ['0', '1']) {
    const { playerCredentials } = await post(`/games/yamm/${matchID}/join`, { playerID, playerName: playerID });
    seats.push(sit(matchID, playerID, playerCredentials));
  }
  await Promise.all(seats.map((seat) => upTo(seat, 0)));
  return seats;
}

// One action of whoever is to act; seconds until the other seat was told of it, undefined where the game is over.
async function act(seats) {
  const { G, ctx } = seats[0].client.getState();
  if (ctx.gameover) return undefined;
  const [actor, other] = [seats[ctx.currentPlayer], seats[1 - ctx.currentPlayer]];
  const number = actor.number + 1;
  const begin = performance.now();
  if (G.throws === 0) actor.client.moves.roll();
  else if (G.throws < 3) actor.client.moves.keep([]);
  else actor.client.moves.write(...lastOpen(G.sheets[ctx.currentPlayer]));
  await Promise.all(seats.map((seat) => upTo(seat, number)));
  return (other.told - begin) / 1000;
}

async function paced(all) {
  const times = [];
  const begin = performance.now() + 500;
  const play = async (seats, at) => {
    for (let second = 0; second < seconds; second++) {
      await sleep(Math.max(0, begin + 1000 * (second + at / all.length) - performance.now()));
      times.push(await act(seats));
    }
  };
  await Promise.all(all.map(play));
  return { times };
}

async function flatOut(all) {
  let actions = 0;
  const begin = performance.now();
  let ended = false;
  const play = async (seats) => {
    while (!ended && performance.now() < begin + 1000 * seconds) {
      if ((await act(seats)) === undefined) ended = true;
      else actions += 1;
    }
  };
  await Promise.all(all.map(play));
  return { actions, seconds: (performance.now() - begin) / 1000 };
}

async function main() {
  const all = [];
  const upToTables = async (count) => {
    while (all.length < count) all.push(await table());
    return all.length;
  };
  for (const step of [() => upToTables(warm), () => upToTables(warm + tables), () => paced(all), () => flatOut(all)]) {
    await lines.next();
    console.log(JSON.stringify(await step()));
  }
  process.exit(0);
}

main();
