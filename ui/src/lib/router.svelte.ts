/**
 * The current page. It follows from the address, so that links, reloading and the back button work.
 */

interface Place {
  path: string;
  search: URLSearchParams;
  hash: string;
}

const here = (): Place => ({
  path: location.pathname.replace(/(.)\/$/, '$1'),
  search: new URLSearchParams(location.search),
  hash: location.hash.slice(1),
});

let place = $state.raw(here());

export const route = (): Place => place;

/** The address of a table, on the server or on this device. */
const TABLE = /^\/(tables|device)\/[^/]+$/;
let showTable = (): void => undefined;

/** Show the table that was opened, because there is something to see. */
export const tableDrawn = (): void => showTable();

/** Go to another page. The page before a table is seen until the table is drawn, for a second at most. */
export function go(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  const change = (): void => {
    place = here();
    if (!replace) scrollTo(0, 0);
  };
  if (!TABLE.test(location.pathname) || !('startViewTransition' in document)) return change();
  const transition = document.startViewTransition(() => {
    change();
    return new Promise<void>((resolve) => {
      showTable = resolve;
      setTimeout(resolve, 1000);
    });
  });
  transition.ready.catch(() => undefined); // a hidden page skips it
}

/** Addresses of pages that the server renders. */
const ELSEWHERE = /^\/(api|docs|embed|static|verify|openapi\.json|asyncapi\.json|schema\.json|metrics|health)(\/|$)/;

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (ELSEWHERE.test(link.pathname) || (link.hash && link.pathname === location.pathname)) return;
  event.preventDefault();
  go(link.href);
}

/** Start to follow the address and links. Called once, when the page starts. */
export function watchAddress(): void {
  addEventListener('popstate', () => (place = here()));
  document.addEventListener('click', onClick);
}
