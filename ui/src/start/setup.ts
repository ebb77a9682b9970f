/** From choices to the request for a table. Whether it is one is for the server to say. */
import { t } from '../lib/messages.svelte';
import type { NamedSeat, NewTable } from '../lib/protocol';
import { LEVELS, type Choices, type GameName, type Level, type Sitter } from './choices';
import type { Start } from './startText';

export const isLevel = (sitter: Sitter | undefined): sitter is Level => LEVELS.includes(sitter as Level);

type Request = Omit<NewTable, 'seats'> & { seats: NamedSeat[] };

/** The options in the order of game ids, with the value that is not written. */
const OPTIONS: Record<GameName, [keyof Choices, string][]> = {
  'yam-master': [
    ['kept_dice', 'free'],
    ['failed_defi', 'turn_lost'],
    ['captured', 'returned'],
    ['end', 'at_once'],
  ],
  yamm: [
    ['players', '2'],
    ['kept_dice', 'free'],
    ['pairs', 'no'],
  ],
};

/** How many seats there are. */
export const seatCount = (game: GameName, choices: Choices): number =>
  game === 'yam-master' ? 2 : choices.company === 'alone' ? 1 : choices.players;

/** Whether so many can play in pairs. */
export const canPair = (players: number): boolean => players >= 4 && players % 2 === 0;

export function gameId(game: GameName, choices: Choices): string {
  const players = seatCount(game, choices);
  const chosen = { ...choices, players, pairs: canPair(players) ? choices.pairs : 'no' };
  const written = OPTIONS[game].filter(([name, usual]) => String(chosen[name]) !== usual).map(([name]) => `${name}=${String(chosen[name])}`);
  return written.length ? `${game}(${written.join(',')})` : game;
}

/** Who takes each seat. */
export function sitters(game: GameName, choices: Choices): Sitter[] {
  return Array.from({ length: seatCount(game, choices) }, (_, seat) => {
    if (choices.company === 'mixed') return choices.sitters[seat] ?? (seat ? choices.level : 'here');
    if (choices.company === 'here' || seat === choices.own) return 'here';
    return choices.company === 'computer' ? choices.level : 'link';
  });
}

/** What somebody at this device is called; nobody has to type a name. */
export function nameOf(seat: number, choices: Choices): string {
  const typed = choices.names[seat]?.trim();
  return typed || (seat === choices.own ? t('ui_start_me') : t('ui_start_player', { number: seat + 1 }));
}

function clock(choices: Choices, seats: number): NewTable['setup']['clock'] {
  if (seats === 1 || choices.clock === 'none') return null;
  if (choices.clock === 'turn') return { kind: 'turn', seconds: choices.seconds };
  if (choices.clock === 'game') return { kind: 'game', seconds: 60 * choices.minutes, increment: choices.increment };
  return { kind: 'days', seconds: 86_400 * choices.days };
}

export interface Pair {
  seats: [number, number];
  /** Nobody writes for a partner of the other kind. */
  mayNameWriter: boolean;
}

/** The pairs of the game; none where all play for themselves. */
export function pairs(game: GameName, choices: Choices): Pair[] {
  const taken = sitters(game, choices);
  if (game !== 'yamm' || choices.pairs !== 'yes' || !canPair(taken.length)) return [];
  const half = taken.length / 2;
  return Array.from({ length: half }, (_, pair) => ({
    seats: [pair, pair + half],
    mayNameWriter: isLevel(taken[pair]) === isLevel(taken[pair + half]),
  }));
}

/** `start`: what the game goes on from. */
export function newTable(game: GameName, choices: Choices, start: Start | null): Request {
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
      first: game === 'yam-master' && !start ? choices.first : null,
      start: start?.text ?? '',
    },
    seats: taken.flatMap((sitter, seat) => (sitter === 'here' ? [{ seat, name: nameOf(seat, choices) }] : [])),
  };
}
