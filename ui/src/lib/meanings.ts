/** What levels and values of options mean: texts that are needed only where they are chosen or explained. */
import './laterTexts';
import type { GameOption } from './games.svelte';
import { has, t } from './messages.svelte';

/** Return a text of the catalogue; empty where it has none. */
const about = (key: string): string => (has(key) ? t(key) : '');

export const levelMeaning = (level: string): string => about(`level_${level}_about`);
export const optionValueMeaning = ({ text_key: key }: GameOption, value: string): string => about(`${key}_${value}_about`);
