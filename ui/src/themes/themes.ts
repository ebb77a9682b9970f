/** The themes beside the first ones, loaded when one is chosen and with the settings. */
import type { Settings } from '../lib/settings.svelte';
import { diceOf, isColour } from './diceColour';
import './themes.css';

export const TABLES = ['green', 'blue', 'wine', 'graphite', 'walnut'] as const satisfies readonly Settings['table'][];
export const BOARDS = ['oak', 'walnut', 'slate', 'paper'] as const satisfies readonly Settings['board'][];
export const DICE = ['ivory', 'red', 'black', 'maple', 'own'] as const satisfies readonly Settings['dice'][];

/** Set or remove the colours of dice of the user's own colour. */
export function applyDiceColour({ dice, diceColour }: Settings): void {
  const { style } = document.documentElement;
  const own = dice === 'own' && isColour(diceColour);
  for (const [name, value] of Object.entries(diceOf(own ? diceColour : '#ffffff'))) {
    if (own) style.setProperty(name, value);
    else style.removeProperty(name);
  }
}
