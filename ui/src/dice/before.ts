/** The turn before, as it lies on the table until somebody throws. */
import { t } from '../lib/messages.svelte';
import type { View } from '../lib/protocol';
import { storyOf, type Told } from '../table/story';
import { isolate } from '../table/words';

const FEW = 4; // a correction may stand after the turn
const DICE = /^(?:[1-6] ?){5}$/;

export function lastThrown(view: View): { told: Told; dice: number[] } | null {
  const told = storyOf(view, FEW).find(({ throws, deed }) => deed && DICE.test(throws.at(-1) ?? ''));
  return told ? { told, dice: Array.from(told.throws.at(-1)!.replaceAll(' ', ''), Number) } : null;
}

/** What came of it. */
export function beforeSentence(view: View): string {
  const told = lastThrown(view)?.told;
  return told ? t('ui_tray_before', { name: isolate(told.name), deed: told.deed }) : '';
}
