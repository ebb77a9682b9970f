/**
 * Texts of the page: `t('ui_throw')`, `t('ui_left', { count: 2 })`. They come from the catalogues,
 * one module a language (ui/messages.ts), and change at once with the language.
 */
import languages from 'virtual:languages';
import type english from '../../../src/dicecup/locale/en.json';
import type { Hello } from './protocol';

export type Language = NonNullable<Hello['language']>;
export type Key = keyof typeof english;
/** Texts by plural form, and the name of the value that chooses one. */
interface Plural {
  by: string;
  other: string;
  [form: string]: string;
}
export type Catalogue = Partial<Record<Key, string | Plural>>;
export type Values = Record<string, string | number>;
/** Texts that only some pages load. */
type Part = 'later' | 'guide' | 'guided' | 'learning' | 'tournament' | 'admin';

export const LANGUAGES = Object.keys(languages) as Language[];

let chosen = $state.raw<{ language: Language; catalogue: Catalogue }>({ language: 'en', catalogue: {} });
const added = new Set<Part>();

/** Return the current language. */
export const language = (): Language => chosen.language;

/** Return the name of a language in that language. */
export const languageName = (language: Language): string => languages[language].name;

/** Return the locale of dates in the current language. */
export const dateLocale = (): string => languages[chosen.language].dates;

/** Load a language and make it the current one. */
export async function setLanguage(wanted: Language): Promise<void> {
  const loaded = await Promise.all((['messages', ...added] as const).map((part) => languages[wanted][part]()));
  const known = chosen.language === wanted ? chosen.catalogue : {};
  chosen = { language: wanted, catalogue: Object.assign({}, known, ...loaded.map((part) => part.default)) as Catalogue };
  document.documentElement.lang = wanted;
}

/** Load the texts of everything that the start page and running games do not show at first. */
export const loadLater = (): Promise<void> => loadPart('later');

/** Load the texts of the rules, in the current language and in each that is chosen later. */
export const loadGuide = (): Promise<void> => loadPart('guide');

/** Load the texts of the guided first games. */
export const loadGuided = (): Promise<void> => loadPart('guided');

/** Load the texts of odds, hints, review and trainer. */
export const loadLearning = (): Promise<void> => loadPart('learning');

/** Load the texts of tournaments. */
export const loadTournament = (): Promise<void> => loadPart('tournament');

/** Load the texts of the administration. */
export const loadAdmin = (): Promise<void> => loadPart('admin');

async function loadPart(part: Part): Promise<void> {
  added.add(part);
  await setLanguage(chosen.language);
}

/** Return the first language of the browser's list that has a catalogue. */
export function preferred(): Language {
  const known = navigator.languages.map((name) => name.slice(0, 2).toLowerCase());
  return LANGUAGES.find((name) => name === known.find((each) => LANGUAGES.includes(each as Language))) ?? 'en';
}

/** Return a text in the current language. */
export function t(key: Key, values: Values = {}): string {
  const found = chosen.catalogue[key];
  if (found === undefined) {
    console.error(`no such message: ${key}`); // the tests fail on errors of the console
    return key;
  }
  const text = typeof found === 'string' ? found : plural(found, values);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Return whether a composed key has a text. */
export const has = (key: string): key is Key => key in chosen.catalogue;

function plural(message: Plural, values: Values): string {
  const form = new Intl.PluralRules(chosen.language).select(Number(values[message.by]));
  return message[form] ?? message.other;
}

/** Return a number in the format of the current language. */
export const number = (value: number, digits = 0): string =>
  new Intl.NumberFormat(languages[chosen.language].numbers, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);

/** Return a fraction as per cent. */
export const percent = (value: number, digits = 0): string => t('odds_percent', { percent: number(100 * value, digits) });
