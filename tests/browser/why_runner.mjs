// Reads {language: [choice]} from standard input. Prints for each language the sentences that the page makes of the choices.
import { readFileSync } from 'node:fs';
import { bundled } from './bundle.mjs';

globalThis.location = new URL('https://localhost/'); // read by modules that the labels import
const asked = JSON.parse(readFileSync(0, 'utf8'));
const answers = {};
for (const [language, choices] of Object.entries(asked)) {
  const catalogue = readFileSync(new URL(`../../src/dicecup/locale/${language}.json`, import.meta.url), 'utf8');
  const texts = `
    const texts = ${catalogue};
    const filled = (text, values) => text.replace(/\\{(\\w+)\\}/g, (whole, name) => String(values[name] ?? whole));
    export const t = (key, values = {}) => {
      const found = texts[key];
      if (typeof found === 'string') return filled(found, values);
      const [{ selectors, match }] = found;
      const form = new Intl.PluralRules('${language}').select(Number(values[selectors[0].replace(/Plural$/, '')]));
      return filled(match[selectors[0] + '=' + form] ?? match[selectors[0] + '=other'], values);
    };
    export const language = () => '${language}';
    export const has = (key) => key in texts;
    export const number = (value, digits = 0) =>
      new Intl.NumberFormat(texts.language_numbers, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);`;
  const { whyText } = await bundled('/ui/src/learning/why.ts', {}, texts);
  answers[language] = choices.flatMap((choice) => [whyText(choice), whyText(choice, 'Benedikt')]);
}
process.stdout.write(JSON.stringify(answers));
