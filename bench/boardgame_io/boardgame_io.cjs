// Two clients at a match of boardgame.io: its own client over socket.io.

const { Client } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const { game, lastOpen } = require('./game.cjs');
const { Subscriber, post } = require('./common.cjs');

class Seat extends Subscriber {
  constructor(url, matchID, playerID, credentials) {
    super();
    this.match = matchID;
    const multiplayer = SocketIO({ server: url, socketOpts: { transports: ['websocket'], forceNew: true } });
    this.client = Client({ game, multiplayer, matchID, playerID, credentials, numPlayers: 2, debug: false });
    let wasConnected = false;
    this.client.subscribe((state) => {
      if (state !== null && state.isConnected) {
        wasConnected = true;
        this.receive(state._stateID);
      } else if (wasConnected) throw new Error(`${url} closed the connection: the server has ended`);
    });
    this.client.start();
  }

  // Act if this seat can act. Return whether it did, or null if the game is over.
  act() {
    const { G, ctx } = this.client.getState();
    if (ctx.gameover) return null;
    if (ctx.currentPlayer !== this.client.playerID) return false;
    const { moves } = this.client;
    if (G.throws === 0) moves.roll();
    else if (G.throws < 3) moves.keep([]);
    else moves.write(...lastOpen(G.sheets[ctx.currentPlayer]));
    return true;
  }
}

async function createTable(url) {
  const { matchID } = await post(`${url}/games/yamm/create`, { numPlayers: 2 });
  const seats = [];
  for (const playerID of ['0', '1']) {
    const { playerCredentials } = await post(`${url}/games/yamm/${matchID}/join`, { playerID, playerName: playerID });
    seats.push(new Seat(url, matchID, playerID, playerCredentials));
  }
  await Promise.all(seats.map((seat) => seat.upTo(0)));
  return seats;
}

// Return a function that gives the time of a state's write in milliseconds, or 0 if it was not written to a file.
async function writeTimes(url) {
  const times = await (await fetch(`${url}/written`)).json();
  return (seat, number) => times[`${seat.match} ${number}`] ?? 0;
}

module.exports = { createTable, writeTimes };
