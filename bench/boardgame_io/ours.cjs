// Two people at a table of Dicecup, over WebSockets by the package that socket.io's client sends with as well.

const { createHash, randomBytes } = require('node:crypto');
const { WebSocket } = require('ws');
const { Told, post } = require('./told.cjs');

class Seat extends Told {
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
        this.tell(message.number);
      } else if (message.type !== 'done') throw new Error(data);
    });
  }

  // Whether it acted; null: the game is over.
  act() {
    const { demand, result, you } = this.view;
    if (result !== null) return null;
    if (!demand.seats.includes(you[0])) return false;
    const command = this.command(demand.what);
    this.socket.send(JSON.stringify({ type: 'command', id: `${this.number}`, version: this.number, command }));
    return true;
  }

  command(what) {
    if (what === 'commitments') return { type: 'commit-seed', hash: createHash('sha256').update(this.seed).digest('hex') };
    if (what === 'seeds') return { type: 'reveal-seed', seed: this.seed.toString('hex') };
    if (what === 'throw') return { type: 'throw' };
    const { actions, turn } = this.view;
    return { type: 'act', action: turn.throws_left > 0 ? 'k-' : actions[actions.length - 1].action };
  }
}

async function table(url) {
  const headers = [];
  for (const _ of ['Anna', 'Ben']) headers.push({ authorization: `Bearer ${(await post(`${url}/api/tokens`, {})).token}` });
  const setup = { game: 'yamm', seats: [{}, {}] };
  const made = await post(`${url}/api/tables`, { setup, name: 'Anna' }, headers[0]);
  const sit = { id: 'sit', version: 2, command: { type: 'sit', name: 'Ben' } };
  await post(`${url}/api/tables/${made.table}/commands`, sit, { ...headers[1], 'dicecup-key': made.join_key });
  const seats = headers.map(({ authorization }) => new Seat(url, made.table, authorization));
  await Promise.all(seats.map((seat) => seat.upTo(1)));
  while (['commitments', 'seeds'].includes(seats[0].view.demand.what)) {
    const number = seats[0].number + 1;
    seats.find((seat) => seat.act());
    await Promise.all(seats.map((seat) => seat.upTo(number)));
  }
  return seats;
}

// What was told had been written.
const saved = async () => () => 0;

module.exports = { saved, table };
