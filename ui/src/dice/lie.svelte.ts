/**
 * Where the dice lie. The view names them in ascending order; on the table a die that is kept stays where it lies, and those that
 * are thrown fall into the places left.
 */
import type { View } from '../lib/protocol';

const NOWHERE = -1;
const ALL = 5;

/** The dice that the last decision kept, as `k33` names them; none before the second throw. */
export function keptBefore(running: readonly string[]): number[] {
  const last = running.filter((word) => /^!?k/.test(word)).at(-1) ?? '';
  return Array.from(last.replace(/[^1-6]/g, ''), Number);
}

/** For each of these faces a place where it lies, if there is one left; `preferred` places first. */
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

export class Lie {
  /** Faces by place; empty before the first throw. While dice are in the air: as they lay. */
  faces = $state.raw<readonly number[]>([]);
  /** Of each place the die in the view's ascending order. */
  order = $state.raw<readonly number[]>([]);
  /** The dice that were not thrown last. */
  stayed = $state.raw<readonly boolean[]>([]);
  /** Under `kept_dice=locked`: they can't be thrown again. */
  locked = $state.raw<readonly boolean[]>([]);
  /** Names what lies there. */
  key = $state.raw('');
  /** Names the throw that was seen to fall; empty where the dice lay there already. */
  fallen = $state.raw('');

  #turn = 0;
  #looked = false;

  /** Looks at the table again. `chosen`: by place, what was to be kept here. True: other dice lie there now. */
  look({ turn, running }: Pick<View, 'turn' | 'running'>, chosen: readonly boolean[]): boolean {
    const key = turn ? `${turn.number} ${running.join(' ')}` : '';
    if (key === this.key && this.#looked) return false;
    this.key = key;
    this.fallen = this.#looked && turn && !turn.waiting ? key : '';
    this.#looked = true;
    const kept = keptBefore(running);
    const before = turn?.number === this.#turn && this.faces.length === ALL ? this.faces : [];
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
