/**
 * The layout of the dice on the table. The view lists the dice in ascending order. On the table a
 * kept die stays in its place, and the thrown dice fall into the other places.
 */
import { DICE_COUNT } from '../lib/notation';
import type { View } from '../lib/protocol';
import { keptBefore } from './keptBefore';

const NOWHERE = -1;

/**
 * Return for each place whether it holds one of these faces. Each face takes one place, `preferred`
 * places first.
 */
export function placesOf(faces: readonly number[], lying: readonly number[], preferred: readonly boolean[] = []): boolean[] {
  const found = lying.map(() => false);
  for (const face of faces) {
    const free = (place: number): boolean => lying[place] === face && !found[place];
    const places = [...lying.keys()].filter(free);
    const place = places.find((each) => preferred[each]) ?? places[0];
    if (place !== undefined) found[place] = true;
  }
  return found;
}

/** The dice by place, kept up to date with the view. */
export class DiceLayout {
  /**
   * Faces by place; empty before the first throw. While dice are in the air the faces before the
   * throw.
   */
  faces = $state.raw<readonly number[]>([]);
  /** By place the index of the die in the ascending order of the view. */
  order = $state.raw<readonly number[]>([]);
  /** By place whether the last throw left the die in its place. */
  stayed = $state.raw<readonly boolean[]>([]);
  /** By place whether the option `kept_dice=locked` forbids to throw the die again. */
  locked = $state.raw<readonly boolean[]>([]);
  /** Faces by place as they lay at the end of the turn before; empty where the page did not show it. */
  before = $state.raw<readonly number[]>([]);
  /** Identifies the dice that lie on the table. */
  key = $state.raw('');
  /** Identifies the throw that this page has seen happen; empty where the dice lay there before. */
  fallen = $state.raw('');

  #turn = 0;
  #updated = false;

  /**
   * Adopt the dice of a view. `chosen`: by place, the dice chosen to be kept. Return whether other
   * dice lie there now.
   */
  update(view: Pick<View, 'game' | 'turn' | 'running'>, chosen: readonly boolean[]): boolean {
    const { turn, running } = view;
    const key = turn ? `${turn.number} ${running.join(' ')}` : '';
    if (key === this.key && this.#updated) return false;
    this.key = key;
    this.fallen = this.#updated && turn && !turn.waiting ? key : '';
    this.#updated = true;
    const kept = keptBefore(view);
    if (turn?.number !== this.#turn) this.before = this.faces;
    const before = turn?.number === this.#turn && this.faces.length === DICE_COUNT ? this.faces : [];
    this.#turn = turn?.number ?? 0;
    if (!turn || (turn.waiting && before.length === 0)) {
      this.#lay(turn?.dice ?? [], [...(turn?.dice.keys() ?? [])], turn?.dice.map(() => true) ?? []);
    } else if (turn.waiting) {
      this.stayed = placesOf(turn.dice, before, chosen);
    } else {
      this.#fall(turn.dice, before, kept, before.length ? placesOf(kept, before, chosen) : []);
      this.locked = placesOf(turn.locked, this.faces, this.stayed);
    }
    return true;
  }

  #fall(dice: readonly number[], before: readonly number[], kept: readonly number[], staying: readonly boolean[]): void {
    const left = new Set(dice.keys());
    const take = (face: number): number => {
      const found = [...left].find((die) => dice[die] === face) ?? NOWHERE;
      left.delete(found);
      return found;
    };
    if (staying.length === 0) {
      this.#lay(dice, [...dice.keys()], placesOf(kept, dice));
      return;
    }
    const order = before.map((face, place) => (staying[place] ? take(face) : NOWHERE));
    const stayed = order.map((die) => die !== NOWHERE);
    const others = [...left];
    this.#lay(dice, order.map((die) => (die === NOWHERE ? others.shift()! : die)), stayed);
  }

  #lay(dice: readonly number[], order: readonly number[], stayed: readonly boolean[]): void {
    this.order = order;
    this.faces = order.map((die) => dice[die]!);
    this.stayed = stayed;
    this.locked = [];
  }
}
