/** Which of the dice that lie on the table are to be kept: what the tray shows and the odds are asked for. */
export class Selection {
  /** By place, as the dice lie (`view.turn.dice`). */
  kept = $state<boolean[]>([false, false, false, false, false]);
  /** A Défi (Challenge) is to be declared with the next keep. */
  defi = $state(false);

  toggle(place: number): void {
    this.kept[place] = !this.kept[place];
  }

  clear(): void {
    this.kept = [false, false, false, false, false];
    this.defi = false;
  }

  /** The action that keeps these of the dice: `k33`, `k-`, `!k33`. */
  action(dice: readonly number[]): string {
    const faces = dice.filter((_, place) => this.kept[place]).sort();
    return `${this.defi ? '!' : ''}k${faces.join('') || '-'}`;
  }
}
