/** The lines of talk at a table as sentences. */
import { t, type Key } from '../lib/messages.svelte';
import { spaced } from '../lib/notation';
import type { View } from '../lib/protocol';
import { called, isolate } from '../table/labels';

export type Line = View['talk'][number];
export type Phrase = NonNullable<Line['phrase']>;
export type Reaction = NonNullable<Line['reaction']>;

export const PHRASES: readonly Phrase[] = [
  'hello',
  'good-luck',
  'good-throw',
  'bad-luck',
  'well-played',
  'thanks',
  'one-moment',
  'i-am-back',
  'good-game',
  'goodbye',
];
export const REACTIONS: readonly Reaction[] = ['bravo', 'wow', 'laugh', 'ouch', 'lucky'];

export const phraseText = (phrase: Phrase): string => t(`ui_talk_phrase_${phrase.replaceAll('-', '_')}` as Key);
export const reactionText = (reaction: Reaction): string => t(`ui_talk_reaction_${reaction}` as Key);

/** Return what a line says, without who says it; empty for a permission. */
export const wordsOf = ({ phrase, reaction, text }: Line): string =>
  phrase ? phraseText(phrase) : reaction ? reactionText(reaction) : (text ?? '');

/** Return a line as a sentence. */
export function sentenceOf(line: Line, view: View): string {
  const { thrower, type } = line;
  const name = isolate(line.name);
  if (type === 'texts-allowed') return t(line.allowed ? 'ui_talk_line_allows' : 'ui_talk_line_forbids', { name });
  const values = { name, text: wordsOf(line), dice: spaced(line.dice ?? '') };
  if (thrower == null) return t('ui_talk_line', values);
  const isMine = view.you.length === 1 && view.you[0] === thrower && line.seat !== thrower;
  return isMine ? t('ui_talk_line_your_throw', values) : t('ui_talk_line_throw', { ...values, thrower: called(view, thrower) });
}
