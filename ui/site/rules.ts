/** The rules in every language as HTML: the components of the page, rendered without a browser. */
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { LANGUAGES, loadGuide, setLanguage } from '../src/lib/messages.svelte';
import { loadPrintedBoard } from '../src/rules/guide';
import YamMaster from '../src/rules/YamMaster.svelte';
import Yamm from '../src/rules/Yamm.svelte';

const GAMES: Record<string, Component> = { 'yam-master': YamMaster, yamm: Yamm };

/** Return the HTML of each game in each language, and the styles of all of it. */
export async function rules(): Promise<{ styles: string; pages: Record<string, Record<string, string>> }> {
  const styles = new Set<string>();
  const pages: Record<string, Record<string, string>> = {};
  await loadGuide();
  await loadPrintedBoard();
  for (const language of LANGUAGES) {
    await setLanguage(language);
    const shown = Object.entries(GAMES).map(([game, Rules]) => {
      const { head, body } = render(Rules);
      for (const [, style] of head.matchAll(/<style[^>]*>(.*?)<\/style>/gs)) styles.add(style!.replace(/\/\*# sourceMappingURL.*?\*\//s, ''));
      return [game, body.replaceAll(/<!--.*?-->/gs, '')];
    });
    pages[language] = Object.fromEntries(shown) as Record<string, string>;
  }
  return { styles: [...styles].join('\n'), pages };
}
