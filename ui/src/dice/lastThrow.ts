/** Finished turns. The last throw of the turn before lies on the table until the next throw. */
import { t } from '../lib/messages.svelte';
import { facesOf } from '../lib/notation';
import type { View } from '../lib/protocol';
import { historyOf, throwText, type HistoryLine } from '../table/turnHistory';
import { isolate } from '../table/labels';

/** The greatest number of turns that can be looked at. */
const MOST = 32;

export interface PastTurn {
  line: HistoryLine;
  /** The dice of its last throw. */
  dice: number[];
}

/** Return the last finished turns, newest first. */
export function pastTurns(view: View): PastTurn[] {
  return historyOf(view, MOST).flatMap((line) => {
    const dice = line.result && line.throws.length ? facesOf(line.throws.at(-1)!) : [];
    return dice.length ? [{ line, dice }] : [];
  });
}

/** Return the throws of a turn as text: 1 1 2 3 3 › 1 1 2 2 4. */
export const throwsText = ({ line }: PastTurn): string =>
  line.throws.map((dice) => throwText(dice).replaceAll(' ', '')).join(' › ') + (line.defi ? ' · Défi' : '');

/** Return the sentence that says how a turn went. */
export const turnText = (past: PastTurn): string =>
  t('ui_tray_past', { turn: past.line.turn, name: isolate(past.line.name), throws: throwsText(past), deed: past.line.result });

/** Return the faces of a throw in the places where they lay, if those are known. */
export const inPlace = (dice: readonly number[], places: readonly number[]): readonly number[] =>
  [...dice].sort().join('') === [...places].sort().join('') ? places : dice;
