/** The choices for a new game, and those of the last game on this device. */
import type { GameDescription } from '../lib/games.svelte';
import { settings } from '../lib/settings.svelte';
import { fittingLevel } from './fittingLevel';
import { playedAgainstComputer } from './myTables.svelte';
import { fittingLevels } from './tables';

export type Company = 'computer' | 'link' | 'here' | 'alone' | 'mixed';
/**
 * Who takes a seat: a person at this device, a person by link, or the computer at the level of this
 * name.
 */
export type Sitter = 'here' | 'link' | (string & {});

export interface Choices {
  company: Company;
  /** The level of the computer players; empty until one is chosen. */
  level: string;
  /** The names of the people at this device, by seat. */
  names: string[];
  sitters: Sitter[];
  /** The seat of the person who chooses. It differs from 0 only where a game goes on. */
  own: number;
  dice: 'server' | 'table';
  /** The chosen values of rule options, by name; an option that is missing has its default. */
  options: Record<string, string>;
  /** By pair the seat that writes for both. */
  writers: (number | null)[];
  clock: 'none' | 'turn' | 'game' | 'days';
  seconds: number;
  minutes: number;
  increment: number;
  days: number;
  games: number;
  first: number | null;
  /** Whether the lobby lists the table for everyone, and the wished level, empty for any. */
  public: boolean;
  wished: string;
  /** Whether the game changes the ratings of its people. */
  rated: boolean;
}

const USUAL: Choices = {
  company: 'computer',
  level: '',
  names: [],
  sitters: [],
  own: 0,
  dice: 'server',
  options: {},
  writers: [],
  clock: 'none',
  seconds: 60,
  minutes: 15,
  increment: 10,
  days: 3,
  games: 1,
  first: null,
  public: false,
  wished: '',
  rated: false,
};
const STORAGE_KEY = 'dicecup-choices';

function stored(): Record<string, Partial<Choices>> {
  try {
    return (JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') ?? {}) as Record<string, Partial<Choices>>;
  } catch {
    return {}; // storage is blocked or damaged
  }
}

/**
 * Return the choices of the last game, or the usual ones, with the level that suits the user. Values
 * that the game does not have any more are left out.
 */
export function remembered(game: GameDescription): Choices {
  const kept = stored()[game.id] ?? {};
  const fits = Object.entries(kept).filter(([name, value]) => name in USUAL && kindOf(value) === kindOf(USUAL[name as keyof Choices]));
  const choices: Choices = { ...structuredClone(USUAL), ...Object.fromEntries(fits) };
  choices.level = fittingLevel(game.levels, choices.level, playedAgainstComputer(game.id), fittingLevels()[game.id]);
  const isAllowed = ([name, value]: [string, string]): boolean =>
    game.options.some((option) => option.name === name && option.values.includes(value));
  choices.options = Object.fromEntries(Object.entries(choices.options).filter(isAllowed));
  choices.names[0] = settings.name;
  return choices;
}

/** Return the kind of a stored value. `null` stands for a seat number that is left open. */
const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : value === null ? 'number' : typeof value);

export function remember(game: GameDescription, choices: Choices): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...stored(), [game.id]: { ...choices, own: 0 } }));
  } catch {
    // private window: the next game begins with the usual choices
  }
}
