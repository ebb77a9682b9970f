// Two clients at a table of Dicecup. They use `ws`, the WebSocket package that socket.io's client uses as well.

const { createHash, randomBytes } = require('node:crypto');
const { WebSocket } = require('ws');
const { Subscriber, post } = require('./common.cjs');

class Seat extends Subscriber {
  constructor(url, table, authorization) {
    super();
    this.seed = randomBytes(16);
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/ws/tables/${table}`, {
      headers: { authorization },
      perMessageDeflate: false,
    });
    this.socket.on('open', () => this.socket.send('{"type":"hello"}'));
    this.socket.on('message', (data) => {
      const message = JSON.parse(data);
      if (message.type === 'update') {
        this.view = { ...this.view, ...message.view };
        this.receive(message.number);
      } else if (message.type !== 'done') throw new Error(data);
    });
  }

  // Act if this seat can act. Return whether it did, or null if the game is over.
  act() {
    const { demand: pending, result, you } = this.view;
    if (result !== null) return null;
    if (!pending.seats.includes(you[0])) return false;
    const command = this.command(pending.what);
    this.socket.send(JSON.stringify({ type: 'command', id: `${this.number}`, version: this.number, command }));
    return true;
  }

  // Return the command for what the table waits for.
  command(what) {
    if (what === 'commitments') return { type: 'commit-seed', hash: createHash('sha256').update(this.seed).digest('hex') };
    if (what === 'seeds') return { type: 'reveal-seed', seed: this.seed.toString('hex') };
    if (what === 'throw') return { type: 'throw' };
    const { actions, turn } = this.view;
    return { type: 'act', action: turn.throws_left > 0 ? 'k-' : actions[actions.length - 1].action };
  }
}

async function createTable(url) {
  const headers = [];
  for (const _ of ['Anna', 'Ben']) headers.push({ authorization: `Bearer ${(await post(`${url}/api/tokens`, {})).token}` });
  const setup = { game: 'yamm', seats: [{}, {}] };
  const created = await post(`${url}/api/tables`, { setup, name: 'Anna' }, headers[0]);
  const sit = { id: 'sit', version: 2, command: { type: 'sit', name: 'Ben' } };
  await post(`${url}/api/tables/${created.table}/commands`, sit, { ...headers[1], 'dicecup-key': created.join_key });
  const seats = headers.map(({ authorization }) => new Seat(url, created.table, authorization));
  await Promise.all(seats.map((seat) => seat.upTo(1)));
  while (['commitments', 'seeds'].includes(seats[0].view.demand.what)) {
    const number = seats[0].number + 1;
    seats.find((seat) => seat.act());
    await Promise.all(seats.map((seat) => seat.upTo(number)));
  }
  return seats;
}

// Dicecup writes an action before it broadcasts it, so the time of the write never counts.
const writeTimes = async () => () => 0;

module.exports = { createTable, writeTimes };
