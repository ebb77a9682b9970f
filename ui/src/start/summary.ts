/** Choices in a few words: the game that one tap on "play" brings. */
import type { GameDescription } from '../lib/games.svelte';
import { has, t } from '../lib/messages.svelte';
import { levelName } from '../table/labels';
import type { Choices } from './choices';
import { changedOptions, PLAYERS, seatCount } from './setup';

/** Return the summary of a game against the computer. */
export function summary(game: GameDescription, choices: Choices): string {
  const computers = seatCount(game, choices) - 1;
  const level = t('ui_start_level_is', { level: levelName(choices.level) });
  const parts = [computers === 1 ? level : t('ui_start_how_many', { what: level, count: computers })];
  if (choices.dice === 'table') parts.push(t('ui_start_dice_table'));
  return [...parts, ...changes(game, choices)].join(' · ');
}

/** Return in words which rules differ from the usual ones, the clock, and the number of games. */
export function changes(game: GameDescription, choices: Choices): string[] {
  const parts: string[] = [];
  for (const [option, value] of changedOptions(game, choices)) {
    const key = `${option.text_key}_${value}_summary`;
    if (option.name !== PLAYERS) parts.push(has(key) ? t(key) : `${option.name}=${value}`);
  }
  if (choices.clock !== 'none' && seatCount(game, choices) > 1) parts.push(t('ui_start_clock'));
  if (choices.games > 1) parts.push(t('ui_start_of_games', { count: choices.games }));
  return parts;
}
