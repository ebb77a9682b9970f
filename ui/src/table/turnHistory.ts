/** The turns of the game as lines beside the game. */
import { t } from '../lib/messages.svelte';
import {
  assertNever,
  facesOf,
  formatCell,
  gameName,
  parseLine,
  readWord,
  type Action,
  type Cell,
  type Line,
  type OtherAction,
  type Throw,
  type Word,
} from '../lib/notation';
import type { View } from '../lib/protocol';
import { cellName, figureOn, labelled, nameOf, pointsIn, seatOfTurn, shortNameOf } from './labels';

export interface HistoryLine {
  /** Unique among the lines. */
  id: string;
  turn: number;
  name: string;
  shortName: string;
  throws: Throw[];
  defi: boolean;
  /** Whether the turn ended without an entry or a token. */
  passed: boolean;
  /** The result of the turn or of the correction; empty while the turn runs. */
  result: string;
  /** The result where room is short: a struck cell has a dash. */
  shortResult: string;
}

/** By turn the cell that its result was moved to. */
type Moves = ReadonlyMap<number, string>;

/** Return the last `count` lines, newest first, with the running turn at the top. */
export function historyOf(view: View, count: number): HistoryLine[] {
  const { history, running, turn } = view;
  const game = gameName(view.game);
  const first = Math.max(0, history.length - count);
  const lines = history.slice(first).map((line) => parseLine(game, line));
  const moves: Moves = new Map(lines.flatMap((line) => movedTo(line)));
  const entries = lines.map((line, place) => lineOf(view, line, `${first + place}`, moves));
  if (turn && running.length) {
    const words = running.map((word) => readWord(game, word));
    entries.push(turnLine(view, turn.number, words, 'now', moves));
  }
  return entries.reverse();
}

const movedTo = (line: Line): [number, string][] =>
  line.kind === 'correction' && line.action.kind === 'correction' ? [[line.turn, formatCell(line.action.cell)]] : [];

function lineOf(view: View, line: Line, id: string, moves: Moves): HistoryLine {
  if (line.kind === 'turn') return turnLine(view, line.turn, line.words, id, moves);
  return { id, turn: line.turn, ...names(view, line.turn), throws: [], defi: false, passed: false, ...results(view, line.turn, line.action, moves) };
}

const results = (...of: [View, number, Action | OtherAction, Moves]): { result: string; shortResult: string } => ({
  result: resultText(...of, t('word_struck')),
  shortResult: resultText(...of, '—'),
});

function names(view: View, turn: number): { name: string; shortName: string } {
  const seat = view.seats[seatOfTurn(view, turn)];
  return { name: nameOf(seat), shortName: shortNameOf(seat) };
}

function turnLine(view: View, turn: number, words: readonly Word[], id: string, moves: Moves): HistoryLine {
  const line: HistoryLine = { id, turn, ...names(view, turn), throws: [], defi: false, passed: false, result: '', shortResult: '' };
  for (const word of words) {
    if (word.kind === 'dice' || word.kind === 'void') line.throws.push(word);
    else if (word.kind === 'keep') line.defi ||= word.defi;
    else Object.assign(line, { passed: word.kind === 'pass', ...results(view, turn, word, moves) });
  }
  return line;
}

/** Return the faces of a throw, or the word for a void one. */
export const throwText = (thrown: Throw): string => facesOf(thrown).join(' ') || t('ui_table_deed_void');

function resultText(view: View, turn: number, action: Action | OtherAction, moves: Moves, struck: string): string {
  switch (action.kind) {
    case 'keep':
      return '';
    case 'pass':
      return t('ui_table_deed_pass');
    case 'place':
      return `${action.square} · ${figureOn(view, action.square)}`;
    case 'remove':
      return t('ui_table_deed_remove', { square: action.square });
    case 'write':
      return writtenText(view, turn, action.cell, moves, struck);
    case 'correction':
      return t('ui_table_deed_moved', { turn, cell: writtenText(view, turn, action.cell, moves, struck) });
    case 'other':
      return action.text;
    default:
      return assertNever(action);
  }
}

/** Return a cell with its points. A cell whose result was moved away has none. */
function writtenText(view: View, turn: number, { column, row }: Cell, moves: Moves, struck: string): string {
  const cell = formatCell({ column, row });
  const points = (moves.get(turn) ?? cell) === cell ? pointsIn(view, seatOfTurn(view, turn), cell) : null;
  if (points === null) return cellName(cell);
  return labelled(cellName(cell), `${points || struck}`);
}
