/** Turns choices into the request for a table. The server decides whether the request is valid. */
import type { GameDescription, GameOption } from '../lib/games.svelte';
import { t } from '../lib/messages.svelte';
import { formatGameId } from '../lib/notation';
import type { NamedSeat, NewTable } from '../lib/protocol';
import type { Choices, Sitter } from './choices';
import type { Start } from './startText';

/** The options that the page asks for in a way of its own: with the company, and with the writers. */
export const PLAYERS = 'players';
export const PAIRS = 'pairs';

export const isLevel = (sitter: Sitter | undefined): sitter is string =>
  sitter !== undefined && sitter !== 'here' && sitter !== 'link';

type Request = Omit<NewTable, 'seats'> & { seats: NamedSeat[] };

export const optionOf = (game: GameDescription, name: string): GameOption | undefined =>
  game.options.find((option) => option.name === name);

/** Return the chosen value of an option, or its default. */
export const valueOf = (option: GameOption, choices: Choices): string => choices.options[option.name] ?? option.default;

/** Return the number of seats. */
export function seatCount(game: GameDescription, choices: Choices): number {
  const option = optionOf(game, PLAYERS);
  if (!option) return game.players.least;
  return choices.company === 'alone' ? 1 : Number(valueOf(option, choices));
}

/** Return whether this number of players can play with a value of an option. */
const allows = (option: GameOption, value: string, players: number): boolean => option.players[value]?.includes(players) ?? true;

/** Return whether this number of players has a choice among the values of an option. */
export const hasChoice = (option: GameOption, players: number): boolean =>
  option.values.filter((value) => allows(option, value, players)).length > 1;

/**
 * Return the options whose chosen values differ from their defaults, with these values, in the
 * order of game ids.
 */
export function changedOptions(game: GameDescription, choices: Choices): [GameOption, string][] {
  const seats = seatCount(game, choices);
  return game.options.flatMap((option): [GameOption, string][] => {
    const chosen = option.name === PLAYERS ? String(seats) : valueOf(option, choices);
    const value = allows(option, chosen, seats) ? chosen : option.default;
    return value === option.default ? [] : [[option, value]];
  });
}

export function gameId(game: GameDescription, choices: Choices): string {
  const options = changedOptions(game, choices).map(([{ name }, value]) => [name, value]);
  return formatGameId({ name: game.id, options: Object.fromEntries(options) as Record<string, string> });
}

/** Return who takes each seat. */
export function sitters(game: GameDescription, choices: Choices): Sitter[] {
  return Array.from({ length: seatCount(game, choices) }, (_, seat) => {
    if (choices.company === 'mixed') return choices.sitters[seat] ?? (seat ? choices.level : 'here');
    if (choices.company === 'here' || seat === choices.own) return 'here';
    return choices.company === 'computer' ? choices.level : 'link';
  });
}

/** Return the name of a person at this device: the typed one, or a usual one. */
export function nameOf(seat: number, choices: Choices): string {
  const typed = choices.names[seat]?.trim();
  return typed || (seat === choices.own ? t('ui_start_me') : t('ui_start_player', { number: seat + 1 }));
}

export function clock(choices: Choices, seats: number): NewTable['setup']['clock'] {
  if (seats === 1 || choices.clock === 'none') return null;
  if (choices.clock === 'turn') return { kind: 'turn', seconds: choices.seconds };
  if (choices.clock === 'game') return { kind: 'game', seconds: 60 * choices.minutes, increment: choices.increment };
  return { kind: 'days', seconds: 86_400 * choices.days };
}

export interface Pair {
  seats: [number, number];
  /** A person cannot write for a computer, nor a computer for a person. */
  mayNameWriter: boolean;
}

/** Return the pairs of the game; none where each player has a sheet. */
export function pairs(game: GameDescription, choices: Choices): Pair[] {
  const taken = sitters(game, choices);
  if (!changedOptions(game, choices).some(([{ name }]) => name === PAIRS)) return [];
  const half = taken.length / 2;
  return Array.from({ length: half }, (_, pair) => ({
    seats: [pair, pair + half],
    mayNameWriter: isLevel(taken[pair]) === isLevel(taken[pair + half]),
  }));
}

/**
 * Return whether a game can be rated: the server throws its dice from the first turn on, and every
 * person has a device.
 */
export const canBeRated = (game: GameDescription, choices: Choices, start: Start | null): boolean =>
  choices.dice === 'server' && !start && seatCount(game, choices) > 1 && sitters(game, choices).filter((sitter) => sitter === 'here').length === 1;

/**
 * Return the request for a table. `start`: the record or the position that the game goes on from.
 */
export function newTable(game: GameDescription, choices: Choices, start: Start | null): Request {
  const taken = sitters(game, choices);
  const writers = pairs(game, choices).flatMap(({ seats, mayNameWriter }, pair) => {
    const writer = choices.writers[pair] ?? null;
    return writer !== null && mayNameWriter && seats.includes(writer) ? [writer] : [];
  });
  return {
    setup: {
      game: start?.id ?? gameId(game, choices),
      seats: taken.map((sitter) => (isLevel(sitter) ? { kind: 'level', level: sitter } : {})),
      dice: choices.dice,
      clock: clock(choices, taken.length),
      games: choices.games,
      writers,
      first: game.first_player === 'lot' && !start ? choices.first : null,
      start: start?.text ?? '',
      listing: choices.public && taken.includes('link') ? { level: choices.wished } : null,
      rated: choices.rated && canBeRated(game, choices, start),
    },
    seats: taken.flatMap((sitter, seat) => (sitter === 'here' ? [{ seat, name: nameOf(seat, choices) }] : [])),
  };
}
