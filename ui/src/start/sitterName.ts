import { t } from '../lib/messages.svelte';
import { levelName } from '../table/labels';
import type { Choices, Sitter } from './choices';
import { isLevel, nameOf } from './setup';

/** Return the name of the player of a seat, as far as it is known. */
export function sitterName(seat: number, sitter: Sitter | undefined, choices: Choices): string {
  if (sitter === 'here') return nameOf(seat, choices);
  if (isLevel(sitter)) return t('ui_start_computer_level', { level: levelName(sitter) });
  return t('ui_start_seat', { number: seat + 1 });
}
