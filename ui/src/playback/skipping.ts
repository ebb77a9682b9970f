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
  const stopEvent = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onPointerdown = (event: PointerEvent): void => {
    begun = table.playing && (event.target as Element).closest(PLACES) !== null;
  };
  const onClick = (event: MouseEvent): void => {
    if (!begun) return;
    begun = false;
    stopEvent(event);
    table.skip();
  };
  const onKeydown = (event: KeyboardEvent): void => {
    if (!table.playing || MOVING.test(event.key) || freeKey(event) === null) return;
    key = event.key;
    stopEvent(event);
    table.skip();
  };
  /** Some browsers activate a button on keyup. */
  const onKeyup = (event: KeyboardEvent): void => {
    if (event.key !== key) return;
    key = '';
    stopEvent(event);
  };
  element.addEventListener('pointerdown', onPointerdown, true);
  element.addEventListener('click', onClick, true);
  addEventListener('keydown', onKeydown, true);
  addEventListener('keyup', onKeyup, true);
  return {
    destroy() {
      element.removeEventListener('pointerdown', onPointerdown, true);
      element.removeEventListener('click', onClick, true);
      removeEventListener('keydown', onKeydown, true);
      removeEventListener('keyup', onKeyup, true);
    },
  };
}
