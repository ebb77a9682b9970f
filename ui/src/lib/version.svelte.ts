/**
 * New versions of the page on the server. A new version is announced, and loaded when the user
 * wants it or at the next start, never in the middle of a turn.
 */
import { wasUsed } from '../device/used';

const OFTEN = 10 * 60_000;
const NOT_AGAIN = 5_000;

const entryScript = (html: string): string | undefined => /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1];
const own = document.querySelector('script[type="module"]')?.getAttribute('src') ?? undefined;

let newer = $state(false);
let later = $state(false);
let asked = 0;

/** Return whether to announce a new version. */
export const hasNewVersion = (): boolean => newer && !later;

export const dismissNewVersion = (): void => {
  later = true;
};

/** Compare the version on the server with this one. */
export async function lookForNewVersion(): Promise<void> {
  if (newer || document.hidden || Date.now() < asked + NOT_AGAIN) return;
  asked = Date.now();
  try {
    const answer = await fetch('/', { cache: 'no-cache' });
    const found = answer.ok ? entryScript(await answer.text()) : undefined;
    newer = own !== undefined && found !== undefined && found !== own;
  } catch {
    // no connection: the next check follows later
  }
}

/** Look for a new version after a part of the page failed to load. */
function onLoadFailure(event: Event | PromiseRejectionEvent): void {
  const reason = 'reason' in event ? String(event.reason) : '';
  if (event.type === 'vite:preloadError' || /dynamically imported|module script|Importing a module/.test(reason)) void lookForNewVersion();
}

/** Start to look for new versions of the page. Called once, when the page starts. */
export function watchVersion(): void {
  document.addEventListener('visibilitychange', () => void lookForNewVersion());
  addEventListener('online', () => void lookForNewVersion());
  addEventListener('unhandledrejection', onLoadFailure);
  addEventListener('vite:preloadError', onLoadFailure);
  setInterval(() => void lookForNewVersion(), OFTEN);
}

/**
 * Register the service worker, which opens pages without a server (ui/sw.js). Browsers allow it on
 * https and localhost only.
 */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/sw.js');
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    // A device that plays without a connection needs every part of a new version, too.
    active?.postMessage(wasUsed() ? 'everything' : loaded.filter((path) => path.startsWith('/assets/')));
  } catch {
    // private window or full storage: the pages then need the server
  }
}
