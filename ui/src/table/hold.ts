/** The time in which an action against a computer can be undone. */
import { settings } from '../lib/settings.svelte';

/**
 * Seconds for which a computer waits after an action, by the pace of the settings. The server
 * decides where it has to wait.
 */
const SECONDS = { slow: 4, normal: 2.5, instant: 1 };

export const holdTime = (): number => SECONDS[settings.pace];
