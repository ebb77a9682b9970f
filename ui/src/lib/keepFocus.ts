/**
 * Keeps the focus near its place when a change of the page removes the focused element and nothing
 * else takes the focus. Without it the next Tab would begin at the top of the page.
 */
const HEADINGS = 'h1, h2, h3, h4, summary';

/** The focused element and those around it, the innermost first. */
let around: Element[] = [];

function remember(focused: EventTarget | null): void {
  around = [];
  for (let at = focused as Element | null; at; at = at.parentElement) around.push(at);
}

const isLost = (): boolean => document.activeElement === document.body && around[0]?.isConnected === false;

/** Focus the first heading of the innermost element around the lost one that is still there. */
function restore(): void {
  if (!isLost()) return; // the part of the page that changed has moved the focus itself
  for (const area of around.filter(({ isConnected }) => isConnected)) {
    for (const heading of area.querySelectorAll<HTMLElement>(HEADINGS)) {
      if (!heading.checkVisibility()) continue;
      if (heading.tagName !== 'SUMMARY') heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
      if (document.activeElement === heading) return;
    }
  }
}

/** Forget an element that the user has left for no other one. */
function onFocusOut(): void {
  setTimeout(() => {
    if (document.activeElement === document.body && !isLost()) around = [];
  });
}

/** Start to keep the focus. Called once, with the first element that has it. */
export function keepFocus(focused: EventTarget | null): void {
  remember(focused);
  addEventListener('focusin', ({ target }) => remember(target));
  addEventListener('focusout', onFocusOut);
  new MutationObserver(() => isLost() && setTimeout(restore)).observe(document.body, { childList: true, subtree: true });
}
