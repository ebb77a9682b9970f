/** Waits for the texts that are not needed at first. The build adds its import where they are named (ui/messages.ts). */
import { loadLater } from './messages.svelte';

await loadLater();
