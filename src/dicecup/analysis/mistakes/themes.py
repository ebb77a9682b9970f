"""The theme of a decision, from the reasons of the analysis.

>>> from dicecup import games
>>> from dicecup.analysis.mistakes.themes import theme_of
>>> game = games.from_id("yamm(players=1)")
>>> position = game.start().roll("11446")
>>> theme_of(position, game.action("k44"), game.action("k1144"))
<Theme.TWO_PAIRS: 'two_pairs'>
"""

from typing import cast

from dicecup.analysis.registry import analysis_of
from dicecup.analysis.theme import Theme
from dicecup.core.dice import Dice
from dicecup.core.game import Action, Position
from dicecup.core.turn import Turn


def theme_of(position: Position, played: Action, best: Action) -> Theme:
    """Return what the choice between two actions of a position was about.

    Raises `AnalysisError` (`no-evaluation`) for a game without an analysis."""
    analysis = analysis_of(position.game)
    if analysis.declares(played) != analysis.declares(best):
        return Theme.DEFI
    if played.kept is None and best.kept is None:
        return analysis.ending_theme(position, played, best)
    turn = cast(Turn, position.turn)
    pairs = tuple(min(count, 2) if count >= 2 else 0 for count in turn.dice.counts)
    if sorted(turn.dice.counts)[-3:] == [1, 2, 2] and _keeps(played, pairs) != _keeps(best, pairs):
        return Theme.TWO_PAIRS
    return Theme.FIRST_KEEP if turn.throws == 1 else Theme.SECOND_KEEP


def _keeps(action: Action, counts: tuple[int, ...]) -> bool:
    """Return whether an action keeps at least these dice. An action that ends the turn keeps
    none."""
    kept: Dice | None = action.kept
    return kept is not None and all(has >= wanted for has, wanted in zip(kept.counts, counts, strict=True))
