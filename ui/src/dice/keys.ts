/** Keys that work wherever the focus is, except where something is typed, in a dialog, or together with another key. */

const TYPED = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';

/** The key, or null where it is meant for something else. */
export function freeKey(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return null;
  if ((event.target as Element | null)?.closest?.(TYPED) || document.querySelector('dialog[open]')) return null;
  return event.key;
}

/** Whether Enter and space mean what has the focus. */
export const onControl = ({ target }: Event): boolean =>
  (target as Element | null)?.closest?.('button:not([aria-disabled=true]), a[href], summary, input') != null;

/** Whether it is a square or a cell that has the focus: Enter chooses it, space still throws. */
export const inGrid = ({ target }: Event): boolean => (target as Element | null)?.closest?.('[role=grid]') != null;
