/** The picture and the description of each game on the start page and beside the rules. */
import type { Component } from 'svelte';
import { knownGame } from '../lib/games.svelte';
import { t, type Key } from '../lib/messages.svelte';
import type { KnownGame } from '../lib/notation';
import BoardPicture from './BoardPicture.svelte';
import GenericPicture from './GenericPicture.svelte';
import SheetPicture from './SheetPicture.svelte';

interface Looks {
  Picture: Component;
  about: Key;
}

const LOOKS: Record<KnownGame, Looks> = {
  'yam-master': { Picture: BoardPicture, about: 'ui_start_about_yam_master' },
  yamm: { Picture: SheetPicture, about: 'ui_start_about_yamm' },
};
const OTHER: Looks = { Picture: GenericPicture, about: 'ui_start_about_generic' };

const looksOf = (id: string): Looks => {
  const game = knownGame(id);
  return game ? LOOKS[game] : OTHER;
};
export const pictureOf = (id: string): Component => looksOf(id).Picture;
export const aboutGame = (id: string): string => t(looksOf(id).about);
