/**
 * New versions: the server may have been updated under a page that is open. It is told, and loaded when somebody wants it or at the
 * next start, never in the middle of a turn.
 */
const OFTEN = 10 * 60_000;
const NOT_AGAIN = 5_000;

const entry = (html: string): string | undefined => /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1];
const own = document.querySelector('script[type="module"]')?.getAttribute('src') ?? undefined;

let newer = $state(false);
let later = $state(false);
let asked = 0;

/** Whether one is there and nobody has said "later". */
export const hasNewVersion = (): boolean => newer && !later;

export const notNow = (): void => {
  later = true;
};

/** Asks the server which version it has. */
async function look(): Promise<void> {
  if (newer || document.hidden || Date.now() < asked + NOT_AGAIN) return;
  asked = Date.now();
  try {
    const answer = await fetch('/', { cache: 'no-cache' });
    const found = answer.ok ? entry(await answer.text()) : undefined;
    newer = own !== undefined && found !== undefined && found !== own;
  } catch {
    // no connection: there will be another time
  }
}

/** A part of the page that is loaded late is not there any more, or cannot be reached. */
function missed(event: Event | PromiseRejectionEvent): void {
  const reason = 'reason' in event ? String(event.reason) : '';
  if (event.type === 'vite:preloadError' || /dynamically imported|module script|Importing a module/.test(reason)) void look();
}

/** Once, when the page begins. */
export function watchVersion(): void {
  document.addEventListener('visibilitychange', () => void look());
  addEventListener('online', () => void look());
  addEventListener('unhandledrejection', missed);
  addEventListener('vite:preloadError', missed);
  setInterval(() => void look(), OFTEN);
}

/** Pages open without the server too (ui/sw.js): on https and on this device; elsewhere browsers have no such thing. */
export async function keepPages(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/sw.js');
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    active?.postMessage(loaded.filter((path) => path.startsWith('/assets/')));
  } catch {
    // a private window, or no room: the pages need the server then
  }
}

export { look as lookForNewVersion };
