/**
 * The sentence that says why a choice is good or bad. The terminal has the same
 * (src/dicecup/terminal/why.py).
 */
import { t, type Key, type Values } from '../lib/messages.svelte';
import { assertNever } from '../lib/notation';
import { columnName } from '../table/labels';
import type { Choice, Fact, Unit } from './analysisTypes';
import { actionOf, capital, inUnit, lossDigits, rounded, tied } from './labels';

/** Return the sentence, empty where there is nothing to say. `opponent`: what it calls the opponent, empty where that is not known. */
export function whyText(choice: Pick<Choice, 'action' | 'why'>, opponent = ''): string {
  const names = { opponent: opponent || t('why_opponent') };
  const [first, ...others] = choice.why;
  if (!first) return '';
  let text = `${phrase(choice.action)} ${clause(first, names, false)}`;
  others.forEach((fact, at) => {
    const named = choice.why.slice(0, at + 1).some(({ values }) => values.other !== undefined);
    text = t(`why_${joint(choice.why, at + 1)}`, { text, more: clause(fact, names, named) });
  });
  return tied(t('why_sentence', { text: capital(text) }));
}

/** Return how a fact joins those before it. */
function joint(facts: readonly Fact[], at: number): 'then' | 'but' | 'comma' | 'and' {
  const { good } = facts[at]!;
  if (good === null) return 'then';
  if (good !== facts[at - 1]!.good) return 'but';
  return facts[at + 1]?.good === good ? 'comma' : 'and';
}

/** Return an action as the subject of a sentence. */
function phrase(text: string): string {
  const action = actionOf(text);
  switch (action.kind) {
    case 'keep': {
      const dice = action.dice.join(' ');
      if (action.defi) return dice ? t('why_defi', { dice }) : t('why_defi_none');
      return dice ? t('why_keep', { dice }) : t('why_keep_none');
    }
    case 'pass':
      return t('why_pass');
    case 'remove':
      return t('why_remove', { square: action.square });
    case 'place':
      return action.square;
    case 'write':
    case 'correction':
      return t('why_cell', { column: columnName(action.cell.column), row: action.cell.row });
    default:
      return assertNever(action);
  }
}

/** Return one fact in words. `names`: those of people. `named`: whether a fact before it names the other choice. */
function clause({ code, values: given }: Fact, names: Values, named: boolean): string {
  const values = { ...given, ...names } as Values;
  if (given.chance !== undefined) values['chance'] = percent(given.chance);
  for (const name of ['now', 'later'] as const) if (given[name] !== undefined) values[name] = rounded(given[name], 1);
  if (given.worth !== undefined) values['worth'] = inUnit(given.unit as Unit, given.worth, lossDigits(given.unit as Unit, given.worth));
  if (given.other !== undefined) values['other'] = phrase(given.other);
  if (given.line) values['line'] = t('why_line', { first: given.line[0]!, last: given.line.at(-1)! });
  if (given.column !== undefined) values['column'] = columnName(given.column);
  const text = t(`why_${code}` as Key, values);
  if (given.other_chance === undefined) return text;
  const chance = percent(given.other_chance);
  return named ? t('why_instead', { text, chance }) : t('why_against', { text, other: values['other']!, chance });
}

/** Return a probability in per cent, with a digit after the point near 0 and near 1. */
function percent(chance: number): string {
  const value = 100 * chance;
  return (value >= 0.05 && value < 0.95) || (value > 99 && value < 100) ? rounded(Math.min(value, 99.9), 1) : rounded(value, 0);
}
