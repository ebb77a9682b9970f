/**
 * Sentences: `t('ui_throw')`, `t('ui_left', { count: 2 })`. They come from the catalogues of the whole product, one module a
 * language (ui/messages.ts), and change at once when another language is chosen.
 */
import type english from '../../../src/dicecup/locale/en.json';

export const LANGUAGES = ['de', 'en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Key = keyof typeof english;
interface Plural {
  selectors: string[];
  match: Record<string, string>;
}
export type Catalogue = Partial<Record<Key, string | Plural[]>>;
export type Values = Record<string, string | number>;

const messages = { de: () => import('virtual:messages/de'), en: () => import('virtual:messages/en'), fr: () => import('virtual:messages/fr') };
/** Texts that only some pages need. */
const parts = {
  guide: { de: () => import('virtual:guide/de'), en: () => import('virtual:guide/en'), fr: () => import('virtual:guide/fr') },
  learning: {
    de: () => import('virtual:learning/de'),
    en: () => import('virtual:learning/en'),
    fr: () => import('virtual:learning/fr'),
  },
};

let chosen = $state.raw<{ language: Language; catalogue: Catalogue }>({ language: 'en', catalogue: {} });
const added = new Set<keyof typeof parts>();

/** The language that is read. */
export const language = (): Language => chosen.language;

/** Loads a language and shows it. */
export async function speak(wanted: Language): Promise<void> {
  const loaded = await Promise.all([messages, ...[...added].map((part) => parts[part])].map((part) => part[wanted]()));
  const known = chosen.language === wanted ? chosen.catalogue : {};
  chosen = { language: wanted, catalogue: Object.assign({}, known, ...loaded.map((part) => part.default)) as Catalogue };
  document.documentElement.lang = wanted;
}

/** Loads the texts of the rules too, in this language and any that is chosen later. */
export const loadGuide = (): Promise<void> => add('guide');

/** The same with those of odds, hints, review and trainer. */
export const loadLearning = (): Promise<void> => add('learning');

async function add(part: keyof typeof parts): Promise<void> {
  added.add(part);
  await speak(chosen.language);
}

/** The first language of the browser's that we have. */
export function preferred(): Language {
  const known = navigator.languages.map((name) => name.slice(0, 2).toLowerCase());
  return LANGUAGES.find((name) => name === known.find((each) => LANGUAGES.includes(each as Language))) ?? 'en';
}

/** A sentence in the language that is read. */
export function t(key: Key, values: Values = {}): string {
  const found = chosen.catalogue[key];
  if (found === undefined) {
    console.error(`no such message: ${key}`); // tests in browsers fail on it
    return key;
  }
  const text = typeof found === 'string' ? found : plural(found[0]!, values);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Whether there is such a sentence: for keys that are put together. */
export const has = (key: string): key is Key => key in chosen.catalogue;

function plural(message: Plural, values: Values): string {
  const selector = message.selectors[0]!;
  const count = Number(values[selector.replace(/Plural$/, '')]);
  const form = new Intl.PluralRules(chosen.language).select(count);
  return message.match[`${selector}=${form}`] ?? message.match[`${selector}=other`] ?? '';
}

/** A number as it is written in the language that is read. */
export const number = (value: number, digits = 0): string =>
  new Intl.NumberFormat(chosen.language === 'de' ? 'de-CH' : chosen.language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);

/** A share of one as per cent. */
export const percent = (value: number, digits = 0): string =>
  new Intl.NumberFormat(chosen.language === 'de' ? 'de-CH' : chosen.language, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
