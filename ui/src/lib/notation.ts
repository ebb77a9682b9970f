/**
 * The notation of games (docs/notation.md): game ids, actions, throws, turn states, record lines
 * and tags, read into values and written back. Every `parse…` function throws a `NotationError` for
 * a text that has not the canonical form. No other module of the page takes such a text apart.
 * Whether an action is legal is for the server to say.
 */

export class NotationError extends Error {
  readonly text: string;

  constructor(expected: string, text: string) {
    super(`not ${expected}: ${text}`);
    this.text = text;
  }
}

/** The games that the page has screens for. Their actions and positions are read here. */
export const KNOWN_GAMES = ['yam-master', 'yamm'] as const;
export type KnownGame = (typeof KNOWN_GAMES)[number];
export const isKnownGame = (name: string): name is KnownGame => KNOWN_GAMES.includes(name as KnownGame);

/** Report a case that the type system excludes. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value: ${String(value)}`);
}

// --- Game ids

export interface GameId {
  name: string;
  /** The options that differ from their defaults, in the order of the id. */
  options: Record<string, string>;
}

const GAME_ID = /^([a-z0-9_-]+)(?:\(([^()]+)\))?$/;
const OPTION = /^([a-z_]+)=([A-Za-z0-9_-]+)$/;

export function parseGameId(text: string): GameId {
  const [, name, list] = GAME_ID.exec(text) ?? [];
  if (!name) throw new NotationError('a game id', text);
  const options = (list?.split(',') ?? []).map((option): [string, string] => {
    const [, key, value] = OPTION.exec(option) ?? [];
    if (!key || !value) throw new NotationError('a game id', text);
    return [key, value];
  });
  return { name, options: Object.fromEntries(options) };
}

export function formatGameId({ name, options }: GameId): string {
  const written = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  return written.length ? `${name}(${written.join(',')})` : name;
}

/** Return the name of the game of an id. */
export const gameName = (id: string): string => parseGameId(id).name;

// --- Dice

export const DICE_COUNT = 5;

/**
 * A throw: void, or the faces of all dice. `locked`: the locked dice, where the text names them.
 * Both lists ascend.
 */
export type Throw = { kind: 'void' } | { kind: 'dice'; locked: readonly number[]; others: readonly number[] };

const VOID = '~';
const THROW = /^(?:([1-6]{1,4})\|)?([1-6]{1,5})$/;

const ascends = (faces: readonly number[]): boolean => faces.every((face, place) => place === 0 || faces[place - 1]! <= face);

/**
 * Return the faces in a text of digits. Throws `NotationError` unless all are faces and they
 * ascend.
 */
function parseFaces(digits: string, text: string): number[] {
  const faces = Array.from(digits, Number);
  if (!/^[1-6]*$/.test(digits) || !ascends(faces)) throw new NotationError('ascending faces of dice', text);
  return faces;
}

export function parseThrow(text: string): Throw {
  if (text === VOID) return { kind: 'void' };
  const [, locked = '', others] = THROW.exec(text) ?? [];
  if (!others || locked.length + others.length !== DICE_COUNT) throw new NotationError('a throw', text);
  return { kind: 'dice', locked: parseFaces(locked, text), others: parseFaces(others, text) };
}

export function formatThrow(thrown: Throw): string {
  if (thrown.kind === 'void') return VOID;
  return thrown.locked.length ? `${thrown.locked.join('')}|${thrown.others.join('')}` : thrown.others.join('');
}

/** Return the faces of a throw, the locked dice first; none of a void throw. */
export const facesOf = (thrown: Throw): number[] => (thrown.kind === 'void' ? [] : [...thrown.locked, ...thrown.others]);

/** Return the faces in a text of dice as they are read aloud: `22|346` is `2 2 3 4 6`. */
export const spaced = (text: string): string => (text.match(/[1-6]/g) ?? []).join(' ');

// --- Turn states

/**
 * The state of a turn. `dice`: the faces that lie, ascending; `inAir`: the number of dice that are
 * being thrown.
 */
export type TurnState =
  | { kind: 'over' }
  | { kind: 'turn'; throws: number; defi: boolean; locked: readonly number[]; dice: readonly number[]; inAir: number };

const TURN_STATE = /^([0-3])(!?):(?:([1-6]{1,4})\|)?([1-6]{0,5})(\?{0,5})$/;

export function parseTurnState(text: string): TurnState {
  if (text === '-') return { kind: 'over' };
  const [matched, throws, mark, locked = '', dice = '', air = ''] = TURN_STATE.exec(text) ?? [];
  if (!matched || locked.length + dice.length + air.length !== DICE_COUNT) throw new NotationError('a turn state', text);
  return {
    kind: 'turn',
    throws: Number(throws),
    defi: mark === '!',
    locked: parseFaces(locked, text),
    dice: parseFaces(dice, text),
    inAir: air.length,
  };
}

export function formatTurnState(state: TurnState): string {
  if (state.kind === 'over') return '-';
  const { throws, defi, locked, dice, inAir } = state;
  return `${throws}${defi ? '!' : ''}:${locked.length ? `${locked.join('')}|` : ''}${dice.join('')}${'?'.repeat(inAir)}`;
}

// --- Actions

export interface Cell {
  column: string;
  row: string;
}

export type Keep = { kind: 'keep'; dice: readonly number[]; defi: boolean };
export type Correction = { kind: 'correction'; turn: number; cell: Cell };
export type Action =
  | Keep
  | { kind: 'place'; square: string }
  | { kind: 'remove'; square: string }
  | { kind: 'pass' }
  | { kind: 'write'; cell: Cell }
  | Correction;
/** An action of an unknown game: the page has its text only. */
export type OtherAction = { kind: 'other'; text: string };

const KEEP = /^(!?)k(-|[1-6]{1,4})$/;
const SQUARE = /^(-?)([a-e][1-5])$/;
const CELL = /^([duf][1-3])\.([1-6HTY]|FH|ST)$/;
const CORRECTION = /^([1-9][0-9]*)\. > (\S+)$/;
const PASS = '--';

/** Return the action of a text in a known game. */
export function parseAction(game: KnownGame, text: string): Action {
  const keep = parseKeep(text);
  if (keep && (game === 'yam-master' || !keep.defi)) return keep;
  switch (game) {
    case 'yam-master': {
      if (text === PASS) return { kind: 'pass' };
      const [, minus, square] = SQUARE.exec(text) ?? [];
      if (square) return { kind: minus ? 'remove' : 'place', square };
      break;
    }
    case 'yamm': {
      const [, turn, cell] = CORRECTION.exec(text) ?? [];
      if (turn && cell) return { kind: 'correction', turn: Number(turn), cell: parseCell(cell) };
      return { kind: 'write', cell: parseCell(text) };
    }
    default:
      assertNever(game);
  }
  throw new NotationError(`an action of ${game}`, text);
}

/**
 * Return the action of a text in any game. Keeping dice is written alike in all games. Any other
 * text of an unknown game is an `OtherAction`.
 */
export function readAction(game: string, text: string): Action | OtherAction {
  if (isKnownGame(game)) return parseAction(game, text);
  return parseKeep(text) ?? { kind: 'other', text };
}

/** Return the keep of a text, `null` for any other action. */
function parseKeep(text: string): Keep | null {
  const [matched, mark, dice = ''] = KEEP.exec(text) ?? [];
  if (!matched) return null;
  return { kind: 'keep', dice: dice === '-' ? [] : parseFaces(dice, text), defi: mark === '!' };
}

export function parseCell(text: string): Cell {
  const [, column, row] = CELL.exec(text) ?? [];
  if (!column || !row) throw new NotationError('a cell', text);
  return { column, row };
}

/**
 * Return whether an action that ends a turn or corrects it is written as in Yamm: it names a cell.
 */
export const isYammAction = (text: string): boolean => CELL.test(text) || CORRECTION.test(text);

/**
 * Return whether a text begins with the name of a square, which keeps its small letter at the
 * beginning of a sentence.
 */
export const startsWithSquare = (text: string): boolean => /^[a-e][1-5]\b/.test(text);

/**
 * Return column and row of a place on the sheet. The rows of sums, which are no cells, are
 * accepted.
 */
export function splitPlace(text: string): Cell {
  const [column = '', row = ''] = text.split('.');
  return { column, row };
}

/** Return the kind of a column (`d` down, `u` up, `f` free) and its number. */
export const splitColumn = (column: string): { kind: string; number: string } => ({ kind: column.slice(0, 1), number: column.slice(1) });

/** Return column and row of a square, counted from 0. */
export const splitSquare = (square: string): { column: number; row: number } => ({
  column: 'abcde'.indexOf(square.slice(0, 1)),
  row: Number(square.slice(1)) - 1,
});

export const formatCell = ({ column, row }: Cell): string => `${column}.${row}`;

/** Return the dice of a keep as the odds of the server expect them: `33`, `-` for none. */
export const formatKept = (dice: readonly number[]): string => dice.join('') || '-';

export function formatAction(action: Action | OtherAction): string {
  switch (action.kind) {
    case 'keep':
      return `${action.defi ? '!' : ''}k${formatKept(action.dice)}`;
    case 'place':
      return action.square;
    case 'remove':
      return `-${action.square}`;
    case 'pass':
      return PASS;
    case 'write':
      return formatCell(action.cell);
    case 'correction':
      return `${action.turn}. > ${formatCell(action.cell)}`;
    case 'other':
      return action.text;
    default:
      return assertNever(action);
  }
}

/** Return the square or the cell that an action names, `null` where it names none. */
export function placeOf(action: Action | OtherAction): string | null {
  switch (action.kind) {
    case 'place':
    case 'remove':
      return action.square;
    case 'write':
    case 'correction':
      return formatCell(action.cell);
    case 'keep':
    case 'pass':
    case 'other':
      return null;
    default:
      return assertNever(action);
  }
}

// --- Lines of a record

export type Word = Throw | Action | OtherAction;
/** A line of a record without its notes: a turn, which may still run, or a correction. */
export type Line =
  | { kind: 'turn'; turn: number; words: readonly Word[]; notes: string }
  | { kind: 'correction'; turn: number; action: Correction | OtherAction; notes: string };

const NOTES = / [%;].*$/;
const TURN_LINE = /^([1-9][0-9]*)\. (\S.*)$/;

/** Return a throw or an action of a turn. A text of five faces is a throw in every game. */
export function readWord(game: string, text: string): Word {
  return text === VOID || /^[1-6|]+$/.test(text) ? parseThrow(text) : readAction(game, text);
}

export const formatWord = (word: Word): string => (word.kind === 'void' || word.kind === 'dice' ? formatThrow(word) : formatAction(word));

export function parseLine(game: string, text: string): Line {
  const notes = NOTES.exec(text)?.[0] ?? '';
  const played = text.slice(0, text.length - notes.length);
  const [, number, rest] = TURN_LINE.exec(played) ?? [];
  if (!number || !rest) throw new NotationError('a line of a record', text);
  const turn = Number(number);
  if (!rest.startsWith('> ')) return { kind: 'turn', turn, words: rest.split(' ').map((word) => readWord(game, word)), notes };
  const action = readAction(game, played);
  if (action.kind !== 'correction' && action.kind !== 'other') throw new NotationError('a correction', text);
  return { kind: 'correction', turn, action, notes };
}

export function formatLine(line: Line): string {
  if (line.kind === 'correction') return formatAction(line.action) + line.notes;
  return `${line.turn}. ${line.words.map(formatWord).join(' ')}${line.notes}`;
}

// --- Records and positions

const TAG = /^\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\.)*)"\]$/gm;

/** Return the tags of a record by name. */
export const recordTags = (text: string): Map<string, string> =>
  new Map(Array.from(text.matchAll(TAG), ([, name, value]) => [name!, value!.replace(/\\(.)/g, '$1')]));

export type PositionText =
  | { game: 'yam-master'; board: string; side: 'x' | 'o'; turnState: TurnState; supplies: [number, number]; turn: number }
  | { game: 'yamm'; sheets: readonly string[]; turnState: TurnState; turn: number };

const YAM_MASTER = /^([xo1-5]+(?:\/[xo1-5]+){4}) ([xo]) (\S+) (\d+)-(\d+) (\d+)$/;
const YAMM = /^(\S+) (\S+) (\d+)$/;

/** Return the parts of a position. The two games differ in the number of parts. */
export function parsePosition(text: string): PositionText {
  const [, board, side, state, x, o, number] = YAM_MASTER.exec(text) ?? [];
  if (board) {
    return {
      game: 'yam-master',
      board,
      side: side === 'x' ? 'x' : 'o',
      turnState: parseTurnState(state!),
      supplies: [Number(x), Number(o)],
      turn: Number(number),
    };
  }
  const [, sheets, running, turn] = YAMM.exec(text) ?? [];
  if (!sheets) throw new NotationError('a position', text);
  return { game: 'yamm', sheets: sheets.split('|'), turnState: parseTurnState(running!), turn: Number(turn) };
}

export function formatPosition(position: PositionText): string {
  const { turnState, turn } = position;
  switch (position.game) {
    case 'yam-master':
      return `${position.board} ${position.side} ${formatTurnState(turnState)} ${position.supplies.join('-')} ${turn}`;
    case 'yamm':
      return `${position.sheets.join('|')} ${formatTurnState(turnState)} ${turn}`;
    default:
      return assertNever(position);
  }
}

/** The position before the first throw of Yam Master. */
export const YAM_MASTER_START = '5/5/5/5/5 x 0:????? 12-12 1';
