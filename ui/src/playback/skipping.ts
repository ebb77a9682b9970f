/**
 * Skipping: a tap on the dice or on the board, or a key, shows the newest state while actions of
 * others are played out. The same tap or key does nothing else.
 */
import { freeKey } from '../dice/keys';
import type { Table } from '../lib/table.svelte';

const PLACES = '.tray, [role=grid]';
/** Keys that move the focus. They skip nothing. */
const MOVING = /^(Tab|Shift|Arrow|Home|End|Page)/;

/** Let taps within an element, and keys, skip what is being played out. */
export function skipping(element: HTMLElement, table: Table): { destroy: () => void } {
  /** Whether the press that goes on has begun while frames waited. */
  let begun = false;
  let key = '';
  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const pressed = (event: PointerEvent): void => {
    begun = table.playing && (event.target as Element).closest(PLACES) !== null;
  };
  const clicked = (event: MouseEvent): void => {
    if (!begun) return;
    begun = false;
    swallow(event);
    table.skip();
  };
  const keyDown = (event: KeyboardEvent): void => {
    if (!table.playing || MOVING.test(event.key) || freeKey(event) === null) return;
    key = event.key;
    swallow(event);
    table.skip();
  };
  /** Some browsers activate a button on keyup. */
  const keyUp = (event: KeyboardEvent): void => {
    if (event.key !== key) return;
    key = '';
    swallow(event);
  };
  element.addEventListener('pointerdown', pressed, true);
  element.addEventListener('click', clicked, true);
  addEventListener('keydown', keyDown, true);
  addEventListener('keyup', keyUp, true);
  return {
    destroy() {
      element.removeEventListener('pointerdown', pressed, true);
      element.removeEventListener('click', clicked, true);
      removeEventListener('keydown', keyDown, true);
      removeEventListener('keyup', keyUp, true);
    },
  };
}
