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

let registered: Promise<ServiceWorkerRegistration | undefined> | undefined;

/**
 * Register the service worker, which opens pages without a server (ui/sw.js). Browsers allow it on
 * https and localhost only.
 */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // It fails in a private window or with a full storage: the pages then need the server.
  registered = navigator.serviceWorker.register('/sw.js').catch(() => navigator.serviceWorker.getRegistration().catch(() => undefined));
  if (wasUsed()) void storeEverything();
  else if (await registered) {
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    active?.postMessage(loaded.filter((path) => path.startsWith('/assets/')));
  }
}

/**
 * Store every part of the page and the program for playing without a connection. Return whether all
 * of one version is stored: then this device needs no connection.
 */
export async function storeEverything(): Promise<boolean> {
  const found = await registered;
  for (const worker of [found?.installing, found?.waiting, found?.active]) if (worker && (await storesEverything(worker))) return true;
  return false;
}

function storesEverything(worker: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data === true);
    worker.addEventListener('statechange', () => worker.state === 'redundant' && resolve(false));
    worker.postMessage('everything', [port2]);
  });
}
