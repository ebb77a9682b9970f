import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * The message catalogues, reduced to the texts that the page shows. `virtual:messages/de` holds the
 * texts that every page may need, `virtual:guide/de` those of the rules, `virtual:guided/de` those
 * of the guided first games, and `virtual:learning/de` those of odds, hints, review and trainer.
 * Each language is a module of its own, so that the browser loads only the chosen one.
 * `virtual:languages` lists the languages.
 */
const PARTS: Record<string, RegExp> = {
  messages: /^(ui_(?!learn_)|(game|figure|word|column|level|option|end)_)/,
  guide: /^guide_/,
  guided: /^guided_/,
  learning: /^((ui_learn|analysis|hint|hints|name|review)_|odds_(keeping|percent)|first_throw_yamm$)/,
};
const CATALOGUES = fileURLToPath(new URL('../src/dicecup/locale/', import.meta.url));
const LANGUAGES = readdirSync(CATALOGUES)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))
  .sort();
const LIST = 'virtual:languages';
const MODULE = new RegExp(`^virtual:(${Object.keys(PARTS).join('|')})/(${LANGUAGES.join('|')})$`);

export function messages(): Plugin {
  return {
    name: 'dicecup-messages',
    resolveId: (id) => (id === LIST || MODULE.test(id) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${LIST}`) {
        LANGUAGES.forEach((language) => this.addWatchFile(file(language)));
        return languages();
      }
      const [, part, language] = MODULE.exec(id.replace('\0', '')) ?? [];
      if (!part || !language) return undefined;
      this.addWatchFile(file(language));
      const shown = Object.entries(catalogue(language)).filter(([key]) => PARTS[part]!.test(key));
      return `export default ${JSON.stringify(Object.fromEntries(shown))}`;
    },
  };
}

/** Return the module that lists each language: its name, its locales and the loaders of its texts. */
function languages(): string {
  const lines = LANGUAGES.map((language) => {
    const texts = catalogue(language);
    const described = { name: texts['language_name'], dates: texts['language_dates'], numbers: texts['language_numbers'] };
    const parts = Object.keys(PARTS).map((part) => `${part}: () => import('virtual:${part}/${language}')`);
    return `${language}: { ...${JSON.stringify(described)}, ${parts.join(', ')} }`;
  });
  return `export default { ${lines.join(',\n')} };`;
}

const file = (language: string): string => `${CATALOGUES}${language}.json`;

const catalogue = (language: string): Record<string, unknown> =>
  JSON.parse(readFileSync(file(language), 'utf8')) as Record<string, unknown>;
