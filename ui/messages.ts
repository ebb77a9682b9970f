import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * The message catalogues, reduced to the texts that the page shows. `virtual:messages/de` holds the
 * texts of the start page and of running games, `virtual:later/de` those of everything else that is
 * loaded on demand, `virtual:guide/de` those of the rules, `virtual:guided/de` those of the guided
 * first games, `virtual:learning/de` those of odds, hints, review and trainer, `virtual:tournament/de`
 * those of tournaments, and `virtual:admin/de` those of the administration. Each language is a module of its own, so that the browser loads only the chosen one. `virtual:languages` lists the
 * languages.
 *
 * Which texts a running game needs is read in the sources: those that a module names which the
 * entry or the screen of a game imports. A module that names another text of the page waits for
 * `later`, so it needs no line for that.
 */
const PARTS: Record<string, RegExp> = {
  messages: /^(ui_(?!learn_|admin|tournament_)|(game|figure|word|column|level|option|end)_|odds_percent$)/,
  later: /^(ui_(?!learn_|admin|tournament_)|(level|option)_\w+_about$)/,
  admin: /^ui_admin/,
  tournament: /^ui_tournament_/,
  guide: /^guide_/,
  guided: /^guided_/,
  learning: /^((ui_learn|analysis|hint|hints|name|review|theme|why)_|odds_keeping|first_throw_yamm$)/,
};
/** Texts that a module names, whole or by their beginning. */
const NAMED = /\b(ui_\w+)(\$\{)?/g;
const STATIC_IMPORT = /^\s*(?:import|export)\s(?!type\b)[^;]*?from '(\.[^']+)'/gm;
const SOURCES = fileURLToPath(new URL('src/', import.meta.url));
const FIRST = ['main.ts', 'table/TablePage.svelte', 'yam_master/YamMasterGame.svelte', 'yamm/YammGame.svelte'];
const CATALOGUES = fileURLToPath(new URL('../src/dicecup/locale/', import.meta.url));
const LANGUAGES = readdirSync(CATALOGUES)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))
  .sort();
const LIST = 'virtual:languages';
const MODULE = new RegExp(`^virtual:(${Object.keys(PARTS).join('|')})/(${LANGUAGES.join('|')})$`);

let early = readEarly();

export function messages(): Plugin {
  return {
    name: 'dicecup-messages',
    enforce: 'pre',
    buildStart() {
      early = readEarly();
    },
    resolveId: (id) => (id === LIST || MODULE.test(id) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${LIST}`) {
        LANGUAGES.forEach((language) => this.addWatchFile(file(language)));
        return languages();
      }
      const [, part, language] = MODULE.exec(id.replace('\0', '')) ?? [];
      if (!part || !language) return undefined;
      this.addWatchFile(file(language));
      const shown = Object.entries(catalogue(language))
        .filter(([key]) => isIn(part, key))
        .map(([key, message]) => [key, shipped(message)]);
      return `export default ${JSON.stringify(Object.fromEntries(shown))}`;
    },
    transform(code, id) {
      if (!id.startsWith(SOURCES) || !/\.(svelte|ts)$/.test(id) || early.modules.has(id) || id.endsWith('/laterTexts.ts')) return undefined;
      if (![...code.matchAll(NAMED)].some(([, key, open]) => open || !isEarly(key!))) return undefined;
      const wait = `import '${SOURCES}lib/laterTexts';`;
      return { code: id.endsWith('.svelte') ? code.replace(/<script lang="ts"[^>]*>/, (tag) => `${tag}${wait}`) : wait + code, map: null };
    },
  };
}

const isIn = (part: string, key: string): boolean =>
  PARTS[part]!.test(key) && (part === 'messages' ? isEarly(key) : part !== 'later' || !isEarly(key));

/** Return whether a text belongs to the start page or to running games. */
const isEarly = (key: string): boolean =>
  !(key.startsWith('ui_') || key.endsWith('_about')) || early.keys.has(key) || early.beginnings.some((beginning) => key.startsWith(beginning));

/** Return the modules that the page imports at first, and the texts that they name. */
function readEarly(): { modules: Set<string>; keys: Set<string>; beginnings: string[] } {
  const modules = new Set<string>();
  const keys = new Set<string>();
  const beginnings: string[] = [];
  const read = (path: string): void => {
    if (modules.has(path)) return;
    modules.add(path);
    const code = readFileSync(path, 'utf8');
    for (const [, key, open] of code.matchAll(NAMED)) {
      if (open) beginnings.push(key!);
      else keys.add(key!);
    }
    for (const [, name] of code.matchAll(STATIC_IMPORT)) {
      const found = ['', '.ts', '.svelte.ts'].map((ending) => resolve(dirname(path), name! + ending)).find((each) => /\.\w+$/.test(each) && existsSync(each));
      if (found && /\.(svelte|ts)$/.test(found)) read(found);
    }
  };
  FIRST.forEach((name) => read(SOURCES + name));
  return { modules, keys, beginnings };
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

/** Return a message as the page reads it: a plural as the value that it depends on and a text for each form. */
function shipped(message: unknown): unknown {
  if (!Array.isArray(message)) return message;
  const [{ selectors, match }] = message as [{ selectors: [string]; match: Record<string, string> }];
  const forms = Object.entries(match).map(([choice, text]) => [choice.replace(/.*=/, ''), text]);
  return { by: selectors[0].replace(/Plural$/, ''), ...Object.fromEntries(forms) };
}

const file = (language: string): string => `${CATALOGUES}${language}.json`;

const catalogue = (language: string): Record<string, unknown> =>
  JSON.parse(readFileSync(file(language), 'utf8')) as Record<string, unknown>;
