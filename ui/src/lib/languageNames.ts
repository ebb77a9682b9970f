/** The name of each language in that language. */
import type { Language } from './messages.svelte';

export const LANGUAGE_NAMES: Record<Language, string> = { de: 'Deutsch', en: 'English', fr: 'Français' };
