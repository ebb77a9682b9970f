import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * The message catalogues, reduced to the texts that the page shows. `virtual:messages/de` holds the
 * texts that every page may need, `virtual:guide/de` those of the rules, and `virtual:learning/de`
 * those of odds, hints, review and trainer. Each language is a module of its own, so that the
 * browser loads only the one that is read.
 */
const PARTS: Record<string, RegExp> = {
  messages: /^(ui_(?!learn_)|(game|figure|word|column|level|option|end)_)/,
  guide: /^guide_/,
  learning: /^((ui_learn|analysis|hint|hints|name|review)_|odds_(keeping|percent)|first_throw_yamm$)/,
};
const MODULE = /^virtual:(messages|guide|learning)\/(de|en|fr)$/;

export function messages(): Plugin {
  return {
    name: 'dicecup-messages',
    resolveId: (id) => (MODULE.test(id) ? `\0${id}` : undefined),
    load(id) {
      const found = MODULE.exec(id.replace('\0', ''));
      const [, part, language] = found ?? [];
      if (!part || !language) return undefined;
      const file = fileURLToPath(new URL(`../src/dicecup/locale/${language}.json`, import.meta.url));
      this.addWatchFile(file);
      const all = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as object);
      return `export default ${JSON.stringify(Object.fromEntries(all.filter(([key]) => PARTS[part]!.test(key))))}`;
    },
  };
}
