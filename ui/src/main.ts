import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { loadGames } from './lib/games.svelte';
import { watchOffers } from './lib/installation.svelte';
import { preferred, speak } from './lib/messages.svelte';
import { watchAddress } from './lib/router.svelte';
import { settings } from './lib/settings.svelte';
import { keepPages, watchVersion } from './lib/version.svelte';
import { dress } from './themes/dress';

watchAddress();
watchVersion();
watchOffers();
// Pages that were painted before their theme came would flash.
await Promise.all([speak(settings.language ?? preferred()), dress(settings).catch(() => undefined)]);
void loadGames().catch(() => undefined); // each screen that needs the list reports the error
mount(App, { target: document.getElementById('app')! });
void keepPages();
