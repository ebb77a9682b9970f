/** A game in a few words: the options that differ from the usual ones, the clock, the dice. */
import { listedGames } from '../lib/games.svelte';
import { has, t } from '../lib/messages.svelte';
import { parseGameId } from '../lib/notation';
import type { ListedTable } from '../lib/protocol';
import { PLAYERS } from '../start/setup';

type Clock = ListedTable['clock'];
const DAY = 86_400;

/** Return the clock in words, with "no clock" where there is none. */
export function clockText(clock: Clock | undefined): string {
  if (!clock) return t('ui_start_clock_none');
  if (clock.kind === 'days') return t('ui_lobby_clock_days', { count: clock.seconds / DAY });
  if (clock.kind === 'turn') return t('ui_lobby_clock_turn', { seconds: clock.seconds });
  return t('ui_lobby_clock_game', { minutes: clock.seconds / 60, seconds: clock.increment ?? 0 });
}

/** Return the options of a game id that differ from the usual ones. */
export function optionTexts(game: string): string[] {
  const { name, options } = parseGameId(game);
  const known = listedGames().find(({ id }) => id === name)?.options ?? [];
  return Object.entries(options).flatMap(([option, value]) => {
    if (option === PLAYERS) return [];
    const key = `${known.find((each) => each.name === option)?.text_key}_${value}_summary`;
    return [has(key) ? t(key) : `${option}=${value}`];
  });
}

/** Return what a listed table plays, in words. */
export function describe({ game, clock, dice, games, rated }: ListedTable): string {
  const parts = [clockText(clock), ...optionTexts(game)];
  if (dice === 'table') parts.push(t('ui_start_dice_table'));
  if (games > 1) parts.push(t('ui_start_of_games', { count: games }));
  if (rated) parts.push(t('ui_rating_rated'));
  return parts.join(' · ');
}
