/** A record or a position that a game goes on from: what has to be known of it to ask for a table. The server reads the rest. */
import type { GameName } from './choices';

export interface Start {
  text: string;
  game: GameName;
  /** The game id of a record; a position does not say its rules. */
  id: string | null;
  players: number;
  /** In the order of play; empty where nothing says so. */
  names: string[];
  realDice: boolean;
}

const TAG = /^\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\.)*)"\]$/gm;
const PLACE = 'dicecup-start';

/** Files from elsewhere may have the line ends of another system. */
export function read(typed: string): Start {
  const text = typed.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return text.trimStart().startsWith('[') ? ofRecord(`${text.trim()}\n`) : ofPosition(text.trim());
}

function ofRecord(text: string): Start {
  const tags = new Map(Array.from(text.matchAll(TAG), ([, name, value]) => [name!, value!.replace(/\\(.)/g, '$1')]));
  const id = tags.get('Game') ?? '';
  const game = id.startsWith('yamm') ? 'yamm' : 'yam-master';
  const players = game === 'yamm' ? Number(/\bplayers=(\d+)/.exec(id)?.[1] ?? 2) : 2;
  const named = game === 'yamm' ? Array.from({ length: players }, (_, place) => `P${place + 1}`) : ['X', 'O'];
  const names = named.map((tag) => tags.get(tag) ?? '');
  return { text, game, id, players, names, realDice: tags.get('Dice') === 'table' };
}

/** A position of Yam Master names the side to move; sheets of Yamm are joined by bars. */
function ofPosition(text: string): Start {
  const game = /^\S+ [xo] /.test(text) ? 'yam-master' : 'yamm';
  const players = game === 'yamm' ? (text.split(' ')[0]?.split('|').length ?? 1) : 2;
  return { text, game, id: null, players, names: [], realDice: false };
}

/** Kept while the game is being set up, also when the page is loaded again. */
export function hold(start: Start | null): void {
  try {
    if (start) sessionStorage.setItem(PLACE, JSON.stringify(start));
    else sessionStorage.removeItem(PLACE);
  } catch {
    // too long for this browser, or nothing may be kept here
  }
  held = start;
}

let held: Start | null = null;

export function heldStart(): Start | null {
  try {
    held ??= JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as Start | null;
  } catch {
    // as above
  }
  return held;
}
