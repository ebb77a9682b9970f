// Yamm's turn as a game of boardgame.io: throw, keep and throw, keep and throw, write one cell; two sheets of nine columns.

const { INVALID_MOVE } = require('boardgame.io/core');

const COLUMNS = ['d1', 'd2', 'd3', 'u1', 'u2', 'u3', 'f1', 'f2', 'f3'];
const ROWS = ['1', '2', '3', '4', '5', '6', 'H', 'T', 'FH', 'ST', 'Y'];

const sum = (dice) => dice.reduce((total, die) => total + die, 0);
const counts = (dice) => [1, 2, 3, 4, 5, 6].map((face) => dice.filter((die) => die === face).length);

function fullHouse(dice) {
  const found = counts(dice).filter(Boolean).sort().join('');
  if (found !== '23' && found !== '5') return 0;
  return counts(dice)[0] >= 3 ? 50 : sum(dice) + 20;
}

function straight(dice) {
  const faces = [...dice].sort().join('');
  return { 12345: 45, 23456: 50 }[faces] || 0;
}

function yamm(dice) {
  if (new Set(dice).size > 1) return 0;
  return dice[0] === 1 ? 80 : sum(dice) + 40;
}

function value(row, dice) {
  if (row === 'H' || row === 'T') return sum(dice);
  const combination = { FH: fullHouse, ST: straight, Y: yamm }[row];
  return combination ? combination(dice) : counts(dice)[row - 1] * row;
}

// Return the rows that the order of a column allows next.
function open(column, name) {
  const free = ROWS.filter((row) => column[row] === null);
  if (name[0] === 'd') return free.slice(0, 1);
  return name[0] === 'u' ? free.slice(-1) : free;
}

const sheet = () => Object.fromEntries(COLUMNS.map((name) => [name, Object.fromEntries(ROWS.map((row) => [row, null]))]));

function roll({ G, random }) {
  if (G.throws !== 0) return INVALID_MOVE;
  G.dice = random.Die(6, 5);
  G.throws = 1;
}

// Keep some of the dice, at most four, and throw the others again.
function keep({ G, random }, kept) {
  if (G.throws < 1 || G.throws > 2 || !Array.isArray(kept) || kept.length > 4) return INVALID_MOVE;
  const left = [...G.dice];
  for (const die of kept) {
    const at = left.indexOf(die);
    if (at < 0) return INVALID_MOVE;
    left.splice(at, 1);
  }
  G.dice = [...kept, ...random.Die(6, left.length)];
  G.throws += 1;
}

function write({ G, ctx, events }, name, row) {
  const column = G.sheets[ctx.currentPlayer][name];
  if (G.throws === 0 || column === undefined || !open(column, name).includes(row)) return INVALID_MOVE;
  column[row] = value(row, G.dice);
  if (column.H !== null && column.T !== null && column.H <= column.T) column.H = column.T = 0;
  G.dice = [];
  G.throws = 0;
  events.endTurn();
}

// Only the server throws dice: `client: false` keeps clients from running a move in advance.
const onServer = (move) => ({ move, client: false });

module.exports = {
  game: {
    name: 'yamm',
    setup: () => ({ sheets: [sheet(), sheet()], dice: [], throws: 0 }),
    moves: { roll: onServer(roll), keep: onServer(keep), write: onServer(write) },
    endIf: ({ G }) =>
      G.sheets.every((columns) => Object.values(columns).every((column) => !Object.values(column).includes(null))) || undefined,
  },
  // Return the last open cell, as [column, row].
  lastOpen(columns) {
    const cells = COLUMNS.flatMap((name) => open(columns[name], name).map((row) => [name, row]));
    return cells[cells.length - 1];
  },
};
