/**
 * Keeps the focus near its place when a change of the page removes the focused element and nothing
 * else takes the focus. Without it the next Tab would begin at the top of the page.
 */
const HEADINGS = 'h1, h2, h3, h4, summary';

let focused: Element | null = null;
/** The headings before the focused element in its part of the page, the nearest first. */
let before: HTMLElement[] = [];

function remember(target: EventTarget | null): void {
  focused = target instanceof Element ? target : null;
  const part = focused?.closest('dialog, main');
  before = [...(part?.querySelectorAll<HTMLElement>(HEADINGS) ?? [])].filter(isBefore).reverse();
}

/** Return whether a heading is before the focused element; a summary has to be that of its details. */
const isBefore = (heading: HTMLElement): boolean =>
  heading.tagName === 'SUMMARY'
    ? heading !== focused && heading.parentElement!.contains(focused)
    : (heading.compareDocumentPosition(focused!) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;

const isLost = (): boolean => document.activeElement === document.body && focused?.isConnected === false;

/** Focus the nearest heading that is still there, or else that of the page. */
function restore(): void {
  if (!isLost()) return; // the part of the page that changed has moved the focus itself
  const ofPage = document.querySelector<HTMLElement>('main h1');
  for (const heading of ofPage ? [...before, ofPage] : before) {
    if (!heading.isConnected || !heading.checkVisibility()) continue;
    if (heading.tagName !== 'SUMMARY') heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    if (document.activeElement === heading) return;
  }
}

/** Forget an element that the user has left for no other one. */
function onFocusOut(): void {
  setTimeout(() => {
    if (document.activeElement === document.body && !isLost()) focused = null;
  });
}

/** Start to keep the focus. Called once, with the first element that has it. */
export function keepFocus(target: EventTarget | null): void {
  remember(target);
  addEventListener('focusin', (event) => remember(event.target));
  addEventListener('focusout', onFocusOut);
  new MutationObserver(() => isLost() && setTimeout(restore)).observe(document.body, { childList: true, subtree: true });
}
