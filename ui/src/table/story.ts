/** The turns of a record as they are told beside the game. */
import { t } from '../lib/messages.svelte';
import type { View } from '../lib/protocol';
import { cellName, figureOn, nameOf, pointsIn, seatOfTurn, spaced } from './words';

export interface Told {
  /** Unique among the lines. */
  id: string;
  turn: number;
  name: string;
  throws: string[];
  defi: boolean;
  /** What came of it; empty while the turn runs. */
  deed: string;
}

const CORRECTION = /^(\d+)\. > (\S+)/;

/** The last `count` lines, newest first, with the turn that runs at the top. */
export function storyOf(view: View, count: number): Told[] {
  const { history, running, turn } = view;
  const first = Math.max(0, history.length - count);
  const lines = history.slice(first);
  const moved = new Map<number, string>();
  for (const line of lines) {
    const found = CORRECTION.exec(line);
    if (found) moved.set(Number(found[1]), found[2]!);
  }
  const told = lines.map((line, place) => lineOf(view, line, `${first + place}`, moved));
  if (turn && running.length) told.push(turnOf(view, turn.number, running, 'now', moved));
  return told.reverse();
}

function lineOf(view: View, line: string, id: string, moved: Map<number, string>): Told {
  const correction = CORRECTION.exec(line);
  if (correction) {
    const turn = Number(correction[1]);
    const deed = t('ui_table_deed_moved', { turn, cell: written(view, turn, correction[2]!, moved) });
    return { id, turn, name: nameOf(view.seats[seatOfTurn(view, turn)]), throws: [], defi: false, deed };
  }
  const [number = '0', ...words] = line.replace(/ [%;].*$/, '').split(' ');
  return turnOf(view, parseInt(number), words, id, moved);
}

function turnOf(view: View, turn: number, words: readonly string[], id: string, moved: Map<number, string>): Told {
  const told: Told = { id, turn, name: nameOf(view.seats[seatOfTurn(view, turn)]), throws: [], defi: false, deed: '' };
  for (const word of words) {
    if (/^[1-6|]+$/.test(word)) told.throws.push(spaced(word));
    else if (word === '~') told.throws.push(t('ui_table_deed_void'));
    else if (/^!?k/.test(word)) told.defi ||= word.startsWith('!');
    else told.deed = deedOf(view, turn, word, moved);
  }
  return told;
}

function deedOf(view: View, turn: number, action: string, moved: Map<number, string>): string {
  if (action === '--') return t('ui_table_deed_pass');
  if (action.includes('.')) return written(view, turn, action, moved);
  if (action.startsWith('-')) return t('ui_table_deed_remove', { square: action.slice(1) });
  return `${action} · ${figureOn(view, action)}`;
}

/** A cell with its points, which it has no longer once the result has moved. */
function written(view: View, turn: number, cell: string, moved: Map<number, string>): string {
  const points = (moved.get(turn) ?? cell) === cell ? pointsIn(view, seatOfTurn(view, turn), cell) : null;
  if (points === null) return cellName(cell);
  return `${cellName(cell)}: ${points || t('word_struck')}`;
}
