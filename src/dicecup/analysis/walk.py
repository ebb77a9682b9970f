"""A game gone through step by step, with the values of everything that was done and that could have been done."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from dicecup import yam_master, yamm
from dicecup.analysis.evaluation import Evaluation
from dicecup.analysis.grade import SAME, counts
from dicecup.analysis.reviewed import Decision, Kind, ReviewedThrow, ReviewedTurn
from dicecup.analysis.steps import Step
from dicecup.core.game import Action, Position
from dicecup.core.source import Throw
from dicecup.core.turn import BEGIN, Turn
from dicecup.yamm import Correct, Write
from dicecup.yamm.seats import Writers, sheet_of_turn, writer_of_turn


class Walk:
    """`starts`, `now`: what the game was worth to each side at its start, and is worth now; `shared`: two sides share one win;
    `turns`: what was done."""

    def __init__(self, start: Position, evaluation: Evaluation, writers: Writers = ()) -> None:
        """From any position of a running game. Raises what the evaluation raises."""
        self.shared = isinstance(start, yam_master.Position)
        self.turns: list[ReviewedTurn] = []
        self._evaluation = evaluation
        self._writers = writers
        self._values: Mapping[Action, float] = {} if start.waiting else evaluation.values(start)
        """Of what may be done with the dice that lie."""
        self.now = list(_worths(start, evaluation, self._values))
        self.starts = list(self.now)
        if not start.waiting:
            side, player = _seat(start)
            self.turns.append(ReviewedTurn(start.number, player, side, self.now[side]))

    def take(self, step: Step) -> None:
        """The next step. Raises what the evaluation raises."""
        match step.done:
            case None | Throw():
                self._throw(step.before, step.done, step.after)
            case Correct():
                self._correct(cast(yamm.Position, step.before), step.done)
            case _:
                self._act(step.before, step.done)

    def _throw(self, before: Position, throw: Throw | None, after: Position) -> None:
        """Luck is what the throw changed; dice that were knocked over are luck too."""
        turn, number = self._turn(before), cast(Turn, before.turn).throws + 1
        if throw is None:
            turn.throws.append(ReviewedThrow(number, None, 0.0))
            return
        self._values = self._evaluation.values(after)
        worth = max(self._values.values())
        turn.throws.append(ReviewedThrow(number, throw, worth - self.now[turn.side]))
        self._set(turn.side, worth)

    def _turn(self, position: Position) -> ReviewedTurn:
        """The turn that runs; it begins with its first throw, when the side's last result can no longer move."""
        if not self.turns or self.turns[-1].number != position.number:
            side, player = _seat(position)
            self._set(side, self._evaluation.before_throw(position))
            if not self.shared and all(turn.side != side for turn in self.turns):
                self.starts[side] = self.now[side]  # a result from before the start was moved, if it is another
            self.turns.append(ReviewedTurn(position.number, player, side, self.now[side]))
        return self.turns[-1]

    def _act(self, position: Position, played: Action) -> None:
        """Keeps dice or ends the turn."""
        turn, values = self.turns[-1], self._values
        kind, player = Kind.ENDING, turn.player
        if isinstance(played, yam_master.KeepDice | yamm.KeepDice):
            kind = Kind.FIRST_KEEP if cast(Turn, position.turn).throws == 1 else Kind.SECOND_KEEP
        elif isinstance(position, yamm.Position):
            player = writer_of_turn(position.game.options, position.number, self._writers)
        losses = _losses(values, played, kind)
        counted = counts(values.values(), sum(losses.values()), self._evaluation.unit)
        turn.decisions.append(Decision(turn.number, player, position, played, kind, values, losses, counted))
        self._set(turn.side, values[played])

    def _correct(self, position: yamm.Position, played: Correct) -> None:
        """What the result loses where it stands now takes the place of what it lost where it stood: the cell that was written, and
        earlier corrections, cost nothing any more; having ended the turn too early still does."""
        turn = next((turn for turn in reversed(self.turns) if turn.number == played.turn), None)
        if turn is None:
            return  # the result was there before the start: what else could have been done with it is not known
        written = next(decision for decision in turn.decisions if decision.kind is Kind.ENDING)
        values: Mapping[Action, float] = {
            Correct(played.turn, action.cell): value for action, value in written.values.items() if isinstance(action, Write)
        }
        best = max(values.values())
        for decision in turn.decisions:
            if decision.kind in (Kind.ENDING, Kind.CORRECTION):
                decision.superseded, decision.counts, decision.losses = True, False, {decision.kind: 0.0}
        too_early = max(written.values.values()) - best
        written.counts, written.losses = too_early > SAME, {Kind.ENDING: too_early}
        losses = {Kind.CORRECTION: best - values[played]}
        counted = counts(values.values(), losses[Kind.CORRECTION], self._evaluation.unit)
        corrected = Decision(turn.number, written.player, position, played, Kind.CORRECTION, values, losses, counted)
        turn.decisions.append(corrected)
        self._set(turn.side, values[played])

    def _set(self, side: int, worth: float) -> None:
        """What the game is worth to this side now; in Yam Master the other one has the rest."""
        self.now[side] = worth
        if self.shared:
            self.now[1 - side] = 1 - worth


def _worths(start: Position, evaluation: Evaluation, values: Mapping[Action, float]) -> Iterator[float]:
    """What the game is worth to x and o, or to each sheet, where it starts."""
    if isinstance(start, yam_master.Position):
        worth = max(values.values()) if values else evaluation.before_throw(start)
        yield from (worth, 1 - worth) if start.to_move is yam_master.Side.X else (1 - worth, worth)
        return
    options = start.game.options
    for side, sheet in enumerate(start.written):
        if side == start.sheet:
            yield max(values.values()) if values else evaluation.before_throw(start)
        elif next(sheet.open_cells, None) is None:
            yield float(sheet.total)
        else:
            turns = range(start.number, start.number + len(start.sheets))
            number = next(turn for turn in turns if sheet_of_turn(options, turn) == side)
            yield evaluation.before_throw(replace(start, number=number, turn=BEGIN))


def _seat(position: Position) -> tuple[int, int]:
    """The side and the player on turn."""
    if isinstance(position, yam_master.Position):
        return int(position.to_move), int(position.to_move)
    return cast(int, position.sheet), cast(int, position.player)


def _losses(values: Mapping[Action, float], played: Action, kind: Kind) -> dict[Kind, float]:
    """What a decision lost: with the Défi that it declared or did not, and with the rest."""
    best_so = max(value for action, value in values.items() if _declares(action) == _declares(played))
    defi = max(values.values()) - best_so
    return {kind: best_so - values[played]} | ({Kind.DEFI: defi} if defi else {})


def _declares(action: Action) -> bool:
    return isinstance(action, yam_master.KeepDice) and action.defi
