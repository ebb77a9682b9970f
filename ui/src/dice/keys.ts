/**
 * Keyboard shortcuts of the whole page. They do not work in text fields, in dialogs, and with
 * modifier keys.
 */

const TYPED = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';

/** Return the key of an event, or `null` where the event is not a shortcut. */
export function freeKey(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return null;
  if ((event.target as Element | null)?.closest?.(TYPED) || document.querySelector('dialog[open]')) return null;
  return event.key;
}

/** Return whether Enter and the space bar activate the focused element. */
export const onControl = ({ target }: Event): boolean =>
  (target as Element | null)?.closest?.('button:not([aria-disabled=true]), a[href], summary, input') != null;

/**
 * Return whether a square or a cell has the focus. Enter chooses it, and the space bar still
 * throws.
 */
export const inGrid = ({ target }: Event): boolean => (target as Element | null)?.closest?.('[role=grid]') != null;
