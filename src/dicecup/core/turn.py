"""The state of a turn: the number of throws, the dice on the table, and the dice that are locked.

All games share it (docs/rules.md, "Common: five dice, up to three throws"). A turn with fewer than
five dice on the table waits for a throw. A turn with five dice waits for an action.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dicecup.core.dice import DICE, NO_DICE, Dice, Keep, Roll, dice, keep, roll
from dicecup.core.errors import DiceCode, DiceError, TextCode, TextError, TurnCode

THROWS: Final = 3
"""The largest number of throws in a turn."""


class KeptDice(StrEnum):
    """Whether a die that was kept may be thrown again later in the turn (option `kept_dice`)."""

    FREE = "free"
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class Turn:
    """The state of a turn.

    `throws`: the number of throws so far, 0 to 3. `dice`: all five dice after a throw; the kept
    dice while the others are in the air. `locked`: the dice that must stay after the second throw
    (only under `kept_dice=locked`).
    """

    throws: int
    dice: Dice
    locked: Keep = NO_DICE

    @property
    def waiting(self) -> bool:
        """Return whether dice are in the air, so that a throw is due."""
        return self.dice.count < DICE

    @property
    def kept(self) -> Keep:
        """Return the dice that stay while the others are in the air."""
        return Keep(self.dice)

    @property
    def keeps(self) -> tuple[Keep, ...]:
        """Return the allowed keeps in their pinned order; none while dice are in the air and after
        the third throw.
        """
        if self.throws == THROWS or self.dice.count < DICE:
            return ()
        if self.locked is NO_DICE:
            return self.dice.keeps
        return tuple(kept for kept in self.dice.keeps if self.locked in kept.parts)

    def keep_refusal(self, kept: Keep) -> TurnCode | None:
        """Return why `kept` is not one of `keeps`, `None` if it is."""
        if self.waiting:
            return TurnCode.DICE_IN_THE_AIR
        if self.throws == THROWS:
            return TurnCode.NO_THROW_LEFT
        if kept.count == DICE:
            return TurnCode.KEEPS_ALL_DICE
        if kept not in self.dice.parts:
            return TurnCode.NOT_THESE_DICE
        return None if self.locked in kept.parts else TurnCode.LOCKED_DIE_MISSING

    def throw_refusal(self, shown: Roll, kept_dice: KeptDice, *, table: bool, locked: Keep | None) -> TurnCode | None:
        """Return why a throw cannot show these five dice, `None` if it can.

        The dice shown must contain the kept dice unless `table` is true, because a real die may be
        knocked over. Under `kept_dice=locked` the second throw of real dice must name the `locked`
        dice if they differ from the kept dice (docs/rules.md, Common).
        """
        if self.dice.count == DICE:
            return TurnCode.NO_DICE_IN_THE_AIR
        locks = kept_dice is KeptDice.LOCKED and self.throws == 1
        if locked is not None:
            named = table and locks and locked is not self.dice and locked.count == self.dice.count and locked in shown.parts
            return None if named else TurnCode.WRONG_LOCKED_DICE
        return None if self.dice in shown.parts or (table and not locks) else TurnCode.KEPT_DIE_LOST

    def keeping(self, kept: Keep) -> "Turn":
        """Return the turn while the dice outside `kept` are in the air. `kept` must be allowed; it
        is not checked.
        """
        return Turn(self.throws, kept)

    def landing(self, shown: Roll, kept_dice: KeptDice, locked: Keep | None = None) -> "Turn":
        """Return the turn after a throw that shows these dice. The dice must be possible; they are
        not checked.

        `locked` names the locked dice if one of them was knocked over (real dice).
        """
        if kept_dice is KeptDice.LOCKED and self.throws == 1:
            return Turn(2, shown, Keep(self.dice) if locked is None else locked)
        return Turn(self.throws + 1, shown)

    def text(self, mark: str = "") -> str:
        """Return the canonical text. `mark` follows the number of throws (`!` for a
        declared Défi)."""
        shown = self.dice.text
        if self.locked is not NO_DICE:
            shown = locked_text(Roll(self.dice), self.locked)
        return f"{self.throws}{mark}:{shown}{'?' * (DICE - self.dice.count)}"

    def __str__(self) -> str:
        return self.text()


BEGIN: Final = Turn(0, NO_DICE)
"""The state at the begin of a turn: all five dice are in the air."""

_TURN: Final = re.compile(r"([0-3])(!?):([1-6]*)(\|[1-6]*)?(\?*)", re.ASCII)


def turn_from_text(text: str) -> tuple[Turn, bool]:
    """Return the turn state of a text and whether the text has the mark `!`. Raises `TextError`
    (`not-a-turn-state`).

    The caller checks whether the game and its options allow the mark and locked dice.
    """
    match = _TURN.fullmatch(text)
    if match is not None:
        throws, mark, left, right, air = match.groups()
        turn = _turn(int(throws), left, right, len(air))
        if turn is not None:
            return turn, bool(mark)
    raise TextError(TextCode.NOT_A_TURN_STATE, text=text)


def _turn(throws: int, left: str, right: str | None, air: int) -> Turn | None:
    """Return the turn of the parts of a text, `None` for parts that make no turn. `air`: the number
    of dice in the air.
    """
    try:
        if right is not None:
            return Turn(throws, *locked_from_text(left + right)) if throws == THROWS - 1 and not air else None
        shown = dice(left)
    except DiceError:
        return None
    if shown.count + air != DICE or (throws == 0 and air != DICE) or (throws == THROWS and air):
        return None
    return Turn(throws, shown)


def locked_text(shown: Roll, locked: Keep) -> str:
    """Return the locked dice, a bar, and the other dice: `33|456`."""
    rest = list(shown.faces)
    for face in locked.faces:
        rest.remove(face)
    return f"{locked.text}|{''.join(map(str, rest))}"


def locked_from_text(text: str) -> tuple[Roll, Keep]:
    """Return the roll and the locked dice of a text such as `33|456`.

    Raises `DiceError` unless both halves are ascending and hold at least one die.
    """
    left, _, right = text.partition("|")
    locked, others = keep(left), dice(right)
    if not locked.count or not others.count:
        raise DiceError(DiceCode.NOT_FIVE_DICE, text=text)
    return roll("".join(sorted(left + right))), locked
