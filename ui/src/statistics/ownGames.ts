/** Groups and means of the user's finished games. The server counts; nothing is evaluated here. */
import type { OwnGame, OwnPlayer } from '../lib/protocol';

/** Return the seats of the user in these games, oldest game first. */
export const ownSeats = (games: readonly OwnGame[]): { game: OwnGame; player: OwnPlayer; place: number }[] =>
  games.toReversed().flatMap((game) =>
    game.players.flatMap((player, place) => (player.mine ? [{ game, player, place }] : [])),
  );

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Return the opponents: `people`, or the strongest level at the table; empty for a game alone. */
export function opponentsOf({ players }: OwnGame): string {
  const others = players.filter(({ mine }) => !mine);
  if (!others.length) return '';
  return others.some(({ level }) => !level) ? 'people' : others[0]!.level;
}

export interface Results {
  won: number;
  drawn: number;
  lost: number;
}

/** Return the results of games by a key. Games without an outcome are left out. */
export function results(games: readonly OwnGame[], by: (game: OwnGame) => string): Map<string, Results> {
  const found = new Map<string, Results>();
  for (const game of games) {
    if (!game.outcome) continue;
    const counted = found.get(by(game)) ?? { won: 0, drawn: 0, lost: 0 };
    counted[game.outcome] += 1;
    found.set(by(game), counted);
  }
  return found;
}

/**
 * The mean total of a column by kind at the level `master`, bonus included: `dicecup simulate yamm
 * --player master --games 4000 --seed 1`, the three columns of a kind together.
 */
export const MASTER = { d: 270, u: 267, f: 389 };

/** Return the means of all finished columns. */
export function columnMeans(games: readonly OwnGame[]): { column: string; mean: number; bonus: number; count: number }[] {
  const finished = new Map<string, { total: number; bonus: number }[]>();
  for (const { player } of ownSeats(games)) {
    for (const [column, { total, bonus }] of Object.entries(player.columns ?? {})) {
      if (total !== null) finished.set(column, [...(finished.get(column) ?? []), { total, bonus: bonus ?? 0 }]);
    }
  }
  return [...finished].map(([column, all]) => ({
    column,
    mean: mean(all.map(({ total }) => total)),
    bonus: mean(all.map(({ bonus }) => bonus)),
    count: all.length,
  }));
}
