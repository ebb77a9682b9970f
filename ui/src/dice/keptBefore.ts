/** The dice that the last decision kept. */
import { gameName, readWord } from '../lib/notation.ts';
import type { View } from '../lib/protocol';

/**
 * Return the dice that the last decision of the running turn kept; none before the second throw.
 */
export function keptBefore({ game, running }: Pick<View, 'game' | 'running'>): readonly number[] {
  const words = running.map((word) => readWord(gameName(game), word));
  return words.findLast((word) => word.kind === 'keep')?.dice ?? [];
}
