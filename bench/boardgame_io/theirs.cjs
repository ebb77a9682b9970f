// Two people at a table of boardgame.io: its own client over socket.io.

const { Client } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const { game, lastOpen } = require('./game.cjs');
const { Told, post } = require('./told.cjs');

class Seat extends Told {
  constructor(url, matchID, playerID, credentials) {
    super();
    this.match = matchID;
    const multiplayer = SocketIO({ server: url, socketOpts: { transports: ['websocket'], forceNew: true } });
    this.client = Client({ game, multiplayer, matchID, playerID, credentials, numPlayers: 2, debug: false });
    this.client.subscribe((state) => {
      if (state !== null && state.isConnected) this.tell(state._stateID);
    });
    this.client.start();
  }

  // Whether it acted; null: the game is over.
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

async function table(url) {
  const { matchID } = await post(`${url}/games/yamm/create`, { numPlayers: 2 });
  const seats = [];
  for (const playerID of ['0', '1']) {
    const { playerCredentials } = await post(`${url}/games/yamm/${matchID}/join`, { playerID, playerName: playerID });
    seats.push(new Seat(url, matchID, playerID, playerCredentials));
  }
  await Promise.all(seats.map((seat) => seat.upTo(0)));
  return seats;
}

// When which state was written, where it was: [seat, number] → milliseconds.
async function saved(url) {
  const times = await (await fetch(`${url}/saved`)).json();
  return (seat, number) => times[`${seat.match} ${number}`] ?? 0;
}

module.exports = { saved, table };
