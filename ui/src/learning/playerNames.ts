/** What the players and the sides of a review are called. */
import { has, t } from '../lib/messages.svelte';
import { isolate, levelName } from '../table/labels';
import type { Review } from './analysisTypes';


/** Return the level that the name of a computer names, with its number; `null` for the name of a person. */
function levelIn(name: string): string | null {
  const [level = '', number, ...more] = name.split(' ');
  if (!has(`level_${level}`) || more.length || !/^\d*$/.test(number ?? '')) return null;
  return number ? `${levelName(level)} ${number}` : levelName(level);
}

/** The name in the record; the computer by its level. */
export function playerName(review: Review, player: number): string {
  const name = review.players[player]?.name;
  if (!name) return typeof review.players[player]?.side === 'string' ? String(review.players[player].side) : t('ui_learn_player', { number: player + 1 });
  const level = levelIn(name);
  return level === null ? isolate(name) : t('ui_learn_computer', { level });
}

/** Whether the computer played there. */
export const isComputer = (review: Review, player: number): boolean =>
  levelIn(review.players[player]?.name ?? '') !== null;

/** Whose curve or sheet it is: one name, or those of a pair. */
export const sideName = (review: Review, side: number): string =>
  (review.sides[side]?.players ?? []).map((player) => playerName(review, player)).join(' & ');
