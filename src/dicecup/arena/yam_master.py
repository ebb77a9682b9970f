"""The arena of Yam Master: games in compiled kernels, and the luck of the dice by the trained
tables."""

from array import array
from collections.abc import Sequence
from typing import Final

from dicecup.arena.block import Columns, Series, column_of
from dicecup.arena.ends import CAP, ENDINGS
from dicecup.arena.game_arena import Evaluate, GameArena, Simulator
from dicecup.players.yam_master import BATCH_LEVELS, contestant
from dicecup.yam_master import Position, YamMaster

WITHOUT_TABLES: Final = {"random", "greedy"}
"""The levels that use no tables."""


class YamMasterArena(GameArena):
    """The arena of Yam Master."""

    def simulator(self, game: YamMaster, setup: Series) -> Simulator | None:
        """Return the kernels' match between two of `BATCH_LEVELS`.

        `master` searches. Its games are played one by one, so that the luck of the dice is
        measured.
        """
        from dicecup.engine.yam_master.evaluation import match

        if not set(setup.players) <= set(BATCH_LEVELS):
            return None
        contestants = [contestant(level, game) for level in setup.players]
        endings = {match.LINE: "line", match.TOKENS: "tokens", match.STOPPED: CAP}

        def play(first: int, count: int) -> Columns:
            """Play `count` games from number `first` in the kernels and return their columns, one
            entry a game."""
            found = match.play_games(
                game,
                *contestants,
                start=first,
                games=count,
                seed=setup.kernel_seed,
                exchanged=setup.exchanged,
                cap=setup.cap,
            )
            seats = [setup.shift(number) for number in range(first, first + count)]
            points = [(row[seat], row[1 - seat]) for row, seat in zip(found.points.tolist(), seats, strict=True)]
            return {
                "seat": array("q", seats),
                "score": column_of(found.scores if setup.exchanged else found.x_scores),
                "turns": column_of(found.turns),
                "ending": array("q", [ENDINGS.index(endings[end]) for end in found.endings.tolist()]),
                "points": array("q", [own for own, _ in points]),
                "points_against": array("q", [against for _, against in points]),
            }

        return play

    def evaluator(self, game: YamMaster, levels: Sequence[str]) -> Evaluate | None:
        """Return the evaluation by the tables, `None` where no level uses tables. Raises
        `TablesError`."""
        if set(levels) <= WITHOUT_TABLES:
            return None
        from dicecup.engine.yam_master.evaluation.decisions import move_values, turn_of
        from dicecup.engine.yam_master.rules.arrays import rules_of
        from dicecup.players.yam_master import evaluation

        rules, evaluate = rules_of(game), evaluation(game)
        return lambda position: turn_of(rules, move_values(position, evaluate))  # type: ignore[arg-type]

    def declared(self, position: Position) -> bool:
        """Return whether a Défi was declared in this turn."""
        return position.defi

    def seat_names(self, game: YamMaster) -> tuple[str, ...]:  # type: ignore[override]
        """Return `x` and `o`."""
        return tuple(tag.lower() for tag in game.player_tags)
