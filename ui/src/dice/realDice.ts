/** The entry of real dice, which only tables with real dice load. */
export { default as DiceEntry } from './DiceEntry.svelte';
export { default as StartingDie } from './StartingDie.svelte';
