/** What differs between the games in odds and results. */
import { listedGames, type GameDescription } from '../lib/games.svelte';
import { t } from '../lib/messages.svelte';
import { assertNever, isKnownGame, KNOWN_GAMES, type KnownGame } from '../lib/notation';
import { figureName } from '../table/labels';
import type { Unit } from './analysisTypes';

export interface Looks {
  unit: Unit;
  /** The heading of the figures or rows that odds are about. */
  aims: string;
  aimName: (name: string) => string;
  /** Whether an aim without a chance is listed. */
  listsAll: boolean;
  /** Whether the mean points of each row are shown. */
  hasMeans: boolean;
  /** Rows that every throw fills, so that their chance says nothing. */
  sums: readonly string[];
  /** A note on the table of odds. */
  note: string;
}

/** Names of figures on the board, by their ASCII names in the answer of the server. */
const WRITTEN: Record<string, string> = { Carre: 'Carré', '<=8': '≤8', Defi: 'Défi' };

export function looksOf(game: KnownGame | null): Looks {
  switch (game) {
    case 'yam-master':
      return { ...generic(), unit: 'chance', aimName: (name) => figureName(WRITTEN[name] ?? name) };
    case 'yamm':
      return { ...generic(), aims: t('ui_learn_row'), listsAll: true, hasMeans: true, sums: ['H', 'T'], note: t('ui_learn_three_note') };
    case null:
      return generic();
    default:
      return assertNever(game);
  }
}

const generic = (): Looks => ({
  unit: 'points',
  aims: t('ui_learn_figure'),
  aimName: (name) => name,
  listsAll: false,
  hasMeans: false,
  sums: [],
  note: '',
});

const isTrained = ({ id, analysed }: GameDescription): boolean => analysed && isKnownGame(id);

/**
 * Return the games of the trainer: those that the server analyses and the page draws. Until the list
 * of games is known, these are the games that the page draws.
 */
export const trainedGames = (): readonly KnownGame[] => {
  const listed = listedGames();
  return listed.length ? listed.filter(isTrained).map(({ id }) => id as KnownGame) : KNOWN_GAMES;
};
