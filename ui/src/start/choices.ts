/** What somebody chose for a new game, and what it was the last time on this device. */
import { settings } from '../lib/settings.svelte';

export type GameName = 'yam-master' | 'yamm';
export type Company = 'computer' | 'link' | 'here' | 'alone' | 'mixed';
export const LEVELS = ['random', 'greedy', 'novice', 'casual', 'club', 'expert', 'master'] as const;
export type Level = (typeof LEVELS)[number];
/** Who takes a seat of a mixture: somebody at this device, somebody by link, or the computer at a level. */
export type Sitter = 'here' | 'link' | Level;

export interface Choices {
  company: Company;
  level: Level;
  players: number;
  /** Of everybody at this device, seat by seat; the first is one's own. */
  names: string[];
  sitters: Sitter[];
  /** Which seat is one's own, where a game goes on and the seats are those of its players. */
  own: number;
  dice: 'server' | 'table';
  /** The rule options, as game ids name them. */
  kept_dice: string;
  failed_defi: string;
  captured: string;
  end: string;
  pairs: string;
  /** Of each pair the seat that writes for both. */
  writers: (number | null)[];
  clock: 'none' | 'turn' | 'game' | 'days';
  seconds: number;
  minutes: number;
  increment: number;
  days: number;
  games: number;
  first: number | null;
}

export const MOST_PLAYERS = 16;
const USUAL: Choices = {
  company: 'computer',
  level: 'club',
  players: 2,
  names: [],
  sitters: [],
  own: 0,
  dice: 'server',
  kept_dice: 'free',
  failed_defi: 'turn_lost',
  captured: 'returned',
  end: 'at_once',
  pairs: 'no',
  writers: [],
  clock: 'none',
  seconds: 60,
  minutes: 15,
  increment: 10,
  days: 3,
  games: 1,
  first: null,
};
const PLACE = 'dicecup-choices';

function all(): Partial<Record<GameName, Partial<Choices>>> {
  try {
    return (JSON.parse(localStorage.getItem(PLACE) ?? '{}') ?? {}) as Partial<Record<GameName, Partial<Choices>>>;
  } catch {
    return {}; // nothing may be kept here, or it was damaged
  }
}

/** The choices of the last time, or the usual ones. */
export function remembered(game: GameName): Choices {
  const kept = all()[game] ?? {};
  const fits = Object.entries(kept).filter(([name, value]) => name in USUAL && kindOf(value) === kindOf(USUAL[name as keyof Choices]));
  const choices: Choices = { ...structuredClone(USUAL), ...Object.fromEntries(fits) };
  if (!LEVELS.includes(choices.level)) choices.level = USUAL.level;
  choices.names[0] = settings.name;
  return choices;
}

/** Null stands for one of the seats that may be left open. */
const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : value === null ? 'number' : typeof value);

export function remember(game: GameName, choices: Choices): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify({ ...all(), [game]: { ...choices, own: 0 } }));
  } catch {
    // a private window: the next time begins with the usual ones
  }
}
