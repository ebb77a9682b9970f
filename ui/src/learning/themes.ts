/** Themes of decisions (src/dicecup/analysis/theme.py). */
import { t } from '../lib/messages.svelte';
import type { MistakeCard } from '../lib/protocol';

/** Return the name of a theme. */
export const themeName = (theme: MistakeCard['theme']): string => t(`theme_${theme}`);
