/** What the players and the sides of a review are called. */
import { t } from '../lib/messages.svelte';
import { isolate, levelName } from '../table/words';
import type { Review } from './found';

const LEVEL = /^(random|greedy|novice|casual|club|expert|master)(?: (\d+))?$/;

/** The name in the record; the computer by its level. */
export function playerName(review: Review, player: number): string {
  const name = review.players[player]?.name;
  if (!name) return typeof review.players[player]?.side === 'string' ? String(review.players[player].side) : t('ui_learn_player', { number: player + 1 });
  const level = LEVEL.exec(name);
  if (!level) return isolate(name);
  return t('ui_learn_computer', { level: `${levelName(level[1]!)}${level[2] ? ` ${level[2]}` : ''}` });
}

/** Whether the computer played there. */
export const isComputer = (review: Review, player: number): boolean => LEVEL.test(review.players[player]?.name ?? '');

/** Whose curve or sheet it is: one name, or those of a pair. */
export const sideName = (review: Review, side: number): string =>
  (review.sides[side]?.players ?? []).map((player) => playerName(review, player)).join(' & ');
