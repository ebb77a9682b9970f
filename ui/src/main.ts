/** Starts the page: loads its language and appearance, mounts it, and watches address and version. */
import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { loadGames } from './lib/games.svelte';
import { watchOffers } from './lib/installation.svelte';
import { watchLobby } from './lib/lobbyNow.svelte';
import { preferred, setLanguage } from './lib/messages.svelte';
import { noticeBefore } from './lib/notices.svelte';
import { watchAddress } from './lib/router.svelte';
import { settings } from './lib/settings.svelte';
import { join } from './start/myTables.svelte';
import { registerServiceWorker, watchVersion } from './lib/version.svelte';
import { applyAppearance } from './themes/appearance';

watchAddress();
watchVersion();
watchOffers();
addEventListener('online', () => void join());
addEventListener(
  'focusin',
  ({ target }) => void import('./lib/keepFocus').then(({ keepFocus }) => keepFocus(target), () => {}), // without a server it may be missing
  { once: true },
);
// Pages that were painted before their theme came would flash.
await Promise.all([setLanguage(settings.language ?? preferred()), applyAppearance(settings).catch(() => undefined)]);
void loadGames().catch(() => undefined); // each screen that needs the list reports the error
mount(App, { target: document.getElementById('app')! });
noticeBefore();
void registerServiceWorker();
watchLobby();
// A request for an opponent goes on when the page is loaded again.
if (sessionStorage.getItem('dicecup-seek')) void import('./lobby/lobby.svelte').then(({ goOn }) => goOn());
