/** What a finished game means for its player: a record, the balance against an opponent, luck and loss. */
import type { Review } from '../learning/analysisTypes';
import { descriptionOf } from '../lib/games.svelte';
import type { OwnGame, OwnPlayer, OwnStatistics, View } from '../lib/protocol';
import { opponentsOf, ownSeats, results, type Results } from '../statistics/ownGames';
import { pointsOf, sides } from './outcome';

export interface OwnResult {
  /** Luck and loss in the unit of the game; `null` until the game is reviewed. */
  judged: { luck: number; loss: number; unit: 'points' | 'chance' } | null;
  /** Whether games are still to be reviewed. */
  waits: boolean;
  /** The best total before this game and whether this game beats it; `null` without earlier games. */
  best: { before: number; beaten: boolean } | null;
  /** The results against this level, with this game; `null` in games against people. */
  balance: Results | null;
}

const judgement = ({ unit }: OwnGame, { luck, loss, decisions }: OwnPlayer): OwnResult['judged'] =>
  unit && decisions && luck != null && loss != null ? { luck, loss, unit } : null;

/** Return what the statistics say about the game of a view, whose user has one seat. */
export function ownResult({ games, waiting }: OwnStatistics, view: View): OwnResult {
  const game = games.find(({ table }) => table === view.table);
  const own = game?.players.find(({ mine }) => mine);
  const alike = games.filter((each) => each.game === view.game);
  return {
    judged: game && own ? judgement(game, own) : null,
    waits: waiting > 0,
    best: !waiting && descriptionOf(view.game)?.scoring === 'totals' && view.result?.end === 'full' ? bestTotal(alike, view) : null,
    balance: !waiting && game ? balanceOf(alike, game) : null,
  };
}

/** Return what the review of a game says about it, without the games before. */
export function reviewedResult({ players, unit }: Review, view: View): OwnResult | null {
  const player = players[view.seats[view.you[0]!]?.place ?? -1];
  return player ? { judged: { luck: player.luck, loss: player.loss, unit }, waits: false, best: null, balance: null } : null;
}

function bestTotal(games: readonly OwnGame[], view: View): OwnResult['best'] {
  const totals = ownSeats(games.filter(({ table }) => table !== view.table)).flatMap(({ player }) => (player.result != null ? [player.result] : []));
  if (!totals.length) return null;
  const before = Math.max(...totals);
  const side = sides(view).findIndex((seats) => seats.includes(view.you[0]!));
  return { before, beaten: (pointsOf(view, side) ?? 0) > before };
}

function balanceOf(games: readonly OwnGame[], game: OwnGame): Results | null {
  const level = opponentsOf(game);
  return level && level !== 'people' ? (results(games, opponentsOf).get(level) ?? null) : null;
}
