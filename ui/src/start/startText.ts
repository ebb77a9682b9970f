/**
 * A record or a position that a game goes on from: the parts that a request for a table needs. The
 * server reads the rest.
 */
import { assertNever, gameName, parseGameId, parsePosition, recordTags, type PositionText } from '../lib/notation';

export interface Start {
  text: string;
  /** The name of the game in game ids. */
  game: string;
  /** The game id of a record; `null` for a position, which does not name its rules. */
  id: string | null;
  /** The number of players; `null` where it is the default of the game. */
  players: number | null;
  /**
   * The names in the order of play; shorter than the number of players where the text names none.
   */
  names: string[];
  realDice: boolean;
}

const STORAGE_KEY = 'dicecup-start';

/** Read a record or a position. Line ends of any system are accepted. Throws `NotationError`. */
export function readStart(typed: string): Start {
  const text = typed.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return text.trimStart().startsWith('[') ? readRecord(`${text.trim()}\n`) : readPosition(text.trim());
}

function readRecord(text: string): Start {
  const tags = recordTags(text);
  const id = tags.get('Game') ?? '';
  const { options } = parseGameId(id);
  const players = options['players'] === undefined ? null : Number(options['players']);
  return { text, game: gameName(id), id, players, names: playerNames(tags), realDice: tags.get('Dice') === 'table' };
}

/** Return the names that a record has for its players: X and O, or P1, P2 and so on. */
function playerNames(tags: ReadonlyMap<string, string>): string[] {
  if (tags.has('X') || tags.has('O')) return [tags.get('X') ?? '', tags.get('O') ?? ''];
  const places = [...tags.keys()].map((tag) => Number(/^P(\d+)$/.exec(tag)?.[1] ?? 0));
  return Array.from({ length: Math.max(...places, 0) }, (_, place) => tags.get(`P${place + 1}`) ?? '');
}

function readPosition(text: string): Start {
  const position = parsePosition(text);
  return { text, game: position.game, id: null, players: playersIn(position), names: [], realDice: false };
}

/** Return the number of players in a position, `null` where it is the same in all games. */
function playersIn(position: PositionText): number | null {
  switch (position.game) {
    case 'yam-master':
      return null;
    case 'yamm':
      return position.sheets.length;
    default:
      return assertNever(position);
  }
}

/** Keep the text while the game is set up, also when the page is loaded again. */
export function storeStart(start: Start | null): void {
  try {
    if (start) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(start));
    else sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // the text is too long, or storage is blocked: a reload loses it
  }
  held = start;
}

let held: Start | null = null;

export function storedStart(): Start | null {
  try {
    held ??= JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Start | null;
  } catch {
    // storage is blocked
  }
  return held;
}
