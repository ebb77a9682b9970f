/**
 * The dice that the player has chosen to keep. The tray shows them, and the odds are computed for
 * them.
 */
import type { Keep } from './notation';

export class Selection {
  /** By place in `view.turn.dice`. */
  kept = $state<boolean[]>([false, false, false, false, false]);
  /** Whether the next keep declares a Défi. */
  defi = $state(false);

  toggle(place: number): void {
    this.kept[place] = !this.kept[place];
  }

  clear(): void {
    this.kept = [false, false, false, false, false];
    this.defi = false;
  }

  /** Return the action that keeps the chosen ones of these dice. */
  keep(dice: readonly number[]): Keep {
    return { kind: 'keep', dice: dice.filter((_, place) => this.kept[place]).sort(), defi: this.defi };
  }
}
