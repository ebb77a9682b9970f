/** The choices for a new tournament, and the setup that they make. The server decides whether it is valid. */
import type { GameDescription } from '../lib/games.svelte';
import type { Format, TieBreak, TournamentSetup } from '../lib/protocol';
import type { Choices } from '../start/choices';
import { clock, gameId, optionOf, PLAYERS } from '../start/setup';

export interface TournamentChoices {
  name: string;
  format: Format;
  dice: 'server' | 'table' | 'results';
  rounds: number;
  bestOf: number;
  cycles: number;
  /** The length of an arena, and the time for a round (0: no limit), in minutes. */
  minutes: number;
  deadline: number;
  /** The time for a round of a league. */
  days: number;
  begins: 'hand' | 'time';
  /** The value of an input for date and time. */
  starts: string;
  goesOn: 'hand' | 'self';
  pause: number;
  entries: 'open' | 'organiser';
  late: number;
  /** Half points. */
  bye: number;
  tieBreaks: (TieBreak | 'usual' | 'none')[];
  /** Whether the same dice fall at all tables of a round. */
  duplicate: boolean;
  rated: boolean;
  listed: boolean;
}

export const USUAL: TournamentChoices = {
  name: '',
  format: 'swiss',
  dice: 'server',
  rounds: 5,
  bestOf: 1,
  cycles: 1,
  minutes: 60,
  deadline: 0,
  days: 7,
  begins: 'hand',
  starts: '',
  goesOn: 'hand',
  pause: 5,
  entries: 'open',
  late: 1,
  bye: 2,
  tieBreaks: ['usual', 'none', 'none'],
  duplicate: false,
  rated: false,
  listed: false,
};

/** The clock of an arena until another one is chosen. */
export const ARENA_CLOCK: Pick<Choices, 'clock' | 'seconds' | 'minutes' | 'increment' | 'days'> = { clock: 'game', seconds: 60, minutes: 10, increment: 5, days: 1 };

export const FORMATS: readonly Format[] = ['swiss', 'round-robin', 'knock-out', 'arena', 'league'];
export const TIE_BREAKS: readonly TieBreak[] = ['buchholz', 'sonneborn-berger', 'direct', 'wins', 'mean-loss'];
const DAY = 86_400;

export const meetsEverybody = (format: Format): boolean => format === 'round-robin' || format === 'league';

/** Return the game id for two players with the chosen options. */
export const gameForTwo = (game: GameDescription, choices: Choices): string =>
  gameId(game, { ...choices, company: 'link', options: optionOf(game, PLAYERS) ? { ...choices.options, [PLAYERS]: '2' } : choices.options });

/** Return the setup. `options` are the choices of the game: its options and the clock. */
export function setupOf(game: GameDescription, made: TournamentChoices, options: Choices): TournamentSetup {
  const { format } = made;
  const isArena = format === 'arena';
  const timeForRound = { arena: 60 * made.minutes, league: DAY * made.days };
  const tieBreaks = made.tieBreaks.filter((kind, place) => kind !== 'usual' && kind !== 'none' && made.tieBreaks.indexOf(kind) === place);
  return {
    name: made.name.trim(),
    format,
    game: gameForTwo(game, options),
    dice: made.dice,
    clock: made.dice === 'results' ? null : (clock(options, 2) ?? null),
    best_of: isArena ? 1 : made.bestOf,
    rounds: format === 'swiss' ? made.rounds : 0,
    cycles: meetsEverybody(format) ? made.cycles : 1,
    seconds: format === 'arena' || format === 'league' ? timeForRound[format] : 60 * made.deadline,
    pause: isArena || made.goesOn === 'hand' ? null : 60 * made.pause,
    starts: made.begins === 'time' ? Date.parse(made.starts) / 1000 : null,
    late_rounds: format === 'swiss' ? made.late : 0,
    bye: made.bye,
    tie_breaks: made.tieBreaks[0] === 'usual' ? [] : (tieBreaks as TieBreak[]),
    entries: made.entries,
    duplicate: made.duplicate && made.dice === 'server' && !isArena,
    rated: made.rated && made.dice === 'server',
    listed: made.listed,
  };
}
