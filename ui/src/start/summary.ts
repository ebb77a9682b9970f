/** Choices in few words: what a tap on “play” will bring. */
import { t, type Key } from '../lib/messages.svelte';
import { levelName } from '../table/words';
import type { Choices, GameName } from './choices';
import { canPair, seatCount } from './setup';

/** The words for rule options that are not the usual ones. */
const UNUSUAL: [GameName[], keyof Choices, string, Key][] = [
  [['yam-master', 'yamm'], 'kept_dice', 'locked', 'option_kept_dice_locked_summary'],
  [['yam-master'], 'failed_defi', 'ignored', 'option_failed_defi_ignored_summary'],
  [['yam-master'], 'captured', 'out', 'option_captured_out_summary'],
  [['yam-master'], 'end', 'full_round', 'option_end_full_round_summary'],
];

/** Of a game against the computer. */
export function summary(game: GameName, choices: Choices): string {
  const computers = seatCount(game, choices) - 1;
  const level = t('ui_start_level_is', { level: levelName(choices.level) });
  const parts = [computers === 1 ? level : t('ui_start_how_many', { what: level, count: computers })];
  if (game === 'yamm' && choices.pairs === 'yes' && canPair(computers + 1)) parts.push(t('option_pairs_yes_summary'));
  if (choices.dice === 'table') parts.push(t('ui_start_dice_table'));
  for (const [games, name, value, key] of UNUSUAL) if (games.includes(game) && choices[name] === value) parts.push(t(key));
  if (choices.clock !== 'none') parts.push(t('ui_start_clock'));
  if (choices.games > 1) parts.push(t('ui_start_of_games', { count: choices.games }));
  return parts.join(' · ');
}
