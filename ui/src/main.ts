import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { preferred, speak } from './lib/messages.svelte';
import { watchAddress } from './lib/router.svelte';
import { settings } from './lib/settings.svelte';

watchAddress();
await speak(settings.language ?? preferred());
mount(App, { target: document.getElementById('app')! });
