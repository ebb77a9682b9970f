/** The last throw of the turn before, which lies on the table until the next throw. */
import { t } from '../lib/messages.svelte';
import { facesOf } from '../lib/notation';
import type { View } from '../lib/protocol';
import { historyOf, type HistoryLine } from '../table/turnHistory';
import { isolate } from '../table/labels';

/** A correction may stand after the turn. */
const LINES = 4;

/**
 * Return the line of the last finished turn and the dice of its last throw; `null` where there is
 * none.
 */
export function lastThrow(view: View): { line: HistoryLine; dice: number[] } | null {
  for (const line of historyOf(view, LINES)) {
    const dice = line.result && line.throws.length ? facesOf(line.throws.at(-1)!) : [];
    if (dice.length) return { line, dice };
  }
  return null;
}

/** Return the sentence that says how the last turn ended; empty where there is none. */
export function lastTurnSentence(view: View): string {
  const line = lastThrow(view)?.line;
  return line ? t('ui_tray_before', { name: isolate(line.name), deed: line.result }) : '';
}
