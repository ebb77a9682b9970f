import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { watchOffers } from './lib/install.svelte';
import { preferred, speak } from './lib/messages.svelte';
import { watchAddress } from './lib/router.svelte';
import { settings } from './lib/settings.svelte';
import { keepPages, watchVersion } from './lib/version.svelte';

watchAddress();
watchVersion();
watchOffers();
await speak(settings.language ?? preferred());
mount(App, { target: document.getElementById('app')! });
void keepPages();
