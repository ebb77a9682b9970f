/** Names of the players and sides of a review. */
import { has, t } from '../lib/messages.svelte';
import { isolate, levelName } from '../table/labels';
import type { Review } from './analysisTypes';


/**
 * Return the level that the name of a computer names, with its number; `null` for the name of a
 * person.
 */
function levelIn(name: string): string | null {
  const [level = '', number, ...more] = name.split(' ');
  if (!has(`level_${level}`) || more.length || !/^\d*$/.test(number ?? '')) return null;
  return number ? `${levelName(level)} ${number}` : levelName(level);
}

/** Return the name of a player in the record; a computer is named by its level. */
export function playerName(review: Review, player: number): string {
  const name = review.players[player]?.name;
  if (!name) return typeof review.players[player]?.side === 'string' ? String(review.players[player].side) : t('ui_learn_player', { number: player + 1 });
  const level = levelIn(name);
  return level === null ? isolate(name) : t('ui_learn_computer', { level });
}

/** Return whether a computer played. */
export const isComputer = (review: Review, player: number): boolean =>
  levelIn(review.players[player]?.name ?? '') !== null;

/** Return the name of a side: one name, or the names of a pair. */
export const sideName = (review: Review, side: number): string =>
  (review.sides[side]?.players ?? []).map((player) => playerName(review, player)).join(' & ');

/** Return what sentences call an opponent with this name: a person by the name, and a computer so. */
export const opponentText = (name: string): string => (levelIn(name) === null ? isolate(name) : t('why_computer'));

/** Return what sentences call the opponent of a player, `undefined` unless there is one with a name. */
export function opponentName(review: Review, player: number): string | undefined {
  if (review.sides.length !== 2) return undefined;
  const [other, ...more] = review.sides.find(({ players }) => !players.includes(player))?.players ?? [];
  const name = other === undefined || more.length ? null : review.players[other]?.name;
  return name ? opponentText(name) : undefined;
}
