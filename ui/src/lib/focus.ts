/**
 * Keeps the focus near its place when an update removes the focused element. An element with
 * `data-focus-next` names by a selector the element inside it that gets the focus then.
 */

/**
 * Remember the focus before an update of the page. Return a function that is called after the
 * update: where the focus was lost, it focuses the next element of the innermost area that is still
 * there, or else `frame`.
 */
export function rememberFocus(frame: HTMLElement | undefined): () => void {
  const focused = document.activeElement;
  if (!frame || !focused || !frame.contains(focused)) return () => undefined;
  const areas: HTMLElement[] = [];
  for (let at = focused.closest<HTMLElement>('[data-focus-next]'); at; at = at.parentElement?.closest<HTMLElement>('[data-focus-next]') ?? null) {
    areas.push(at);
  }
  return () => {
    if (document.activeElement !== document.body) return;
    for (const area of areas) {
      const next = area.isConnected ? area.querySelector<HTMLElement>(area.dataset['focusNext']!) : null;
      next?.focus({ preventScroll: true });
      if (next && document.activeElement === next) return;
    }
    frame.focus({ preventScroll: true });
  };
}
