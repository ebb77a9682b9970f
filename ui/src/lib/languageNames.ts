/** What each language calls itself. */
import type { Language } from './messages.svelte';

export const LANGUAGE_NAMES: Record<Language, string> = { de: 'Deutsch', en: 'English', fr: 'Français' };
