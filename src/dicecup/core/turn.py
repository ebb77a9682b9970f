"""The state of a turn: how many throws were made, what lies on the table, what is in the air.

Both games share it (RULES, "Common: five dice, up to three throws"). A turn whose dice are fewer than five is waiting for
dice; with five it is waiting for a person.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dicecup.core.dice import DICE, NO_DICE, Dice, Keep, Roll, dice, keep, roll
from dicecup.core.errors import DiceCode, DiceError, TextCode, TextError, TurnCode

THROWS: Final = 3
"""Throws in a turn, at most."""


class KeptDice(StrEnum):
    """Whether a die that was set aside may be thrown again (option `kept_dice`)."""

    FREE = "free"
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class Turn:
    """`throws` made so far (0 to 3); `dice`: all five after a throw, or fewer, those kept, while the others are in the air;
    `locked`: of the dice after the second throw those that must stay (`kept_dice=locked` only)."""

    throws: int
    dice: Dice
    locked: Keep = NO_DICE

    @property
    def waiting(self) -> bool:
        """Whether dice are in the air: a chance position."""
        return self.dice.count < DICE

    @property
    def kept(self) -> Keep:
        """The dice that stay while the others are in the air: what a dice source is asked to throw around."""
        return Keep(self.dice)

    @property
    def keeps(self) -> tuple[Keep, ...]:
        """What may be kept now, in the pinned order; nothing while dice are in the air and after the third throw."""
        if self.throws == THROWS or self.dice.count < DICE:
            return ()
        if self.locked is NO_DICE:
            return self.dice.keeps
        return tuple(kept for kept in self.dice.keeps if self.locked in kept.parts)

    def keep_refusal(self, kept: Keep) -> TurnCode | None:
        """Why `kept` is not one of `keeps`; `None`: it is."""
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
        """Why these five dice cannot lie now; `None`: they can.

        The kept dice must be among them unless `table`: a real die may have been knocked over. Under `kept_dice=locked` the second
        throw of real dice names those `locked` as they now lie, where they differ from those kept (RULES, Common)."""
        if self.dice.count == DICE:
            return TurnCode.NO_DICE_IN_THE_AIR
        locks = kept_dice is KeptDice.LOCKED and self.throws == 1
        if locked is not None:
            named = table and locks and locked is not self.dice and locked.count == self.dice.count and locked in shown.parts
            return None if named else TurnCode.WRONG_LOCKED_DICE
        return None if self.dice in shown.parts or (table and not locks) else TurnCode.KEPT_DIE_LOST

    def keeping(self, kept: Keep) -> "Turn":
        """The other dice go into the air. Unchecked: `kept` must be allowed."""
        return Turn(self.throws, kept)

    def landing(self, shown: Roll, kept_dice: KeptDice, locked: Keep | None = None) -> "Turn":
        """The dice lie. Unchecked. `locked` names the locked dice where one of them was knocked over (table dice)."""
        if kept_dice is KeptDice.LOCKED and self.throws == 1:
            return Turn(2, shown, Keep(self.dice) if locked is None else locked)
        return Turn(self.throws + 1, shown)

    def text(self, mark: str = "") -> str:
        """The canonical text; `mark` stands behind the throws (`!` for a declared Défi)."""
        shown = self.dice.text
        if self.locked is not NO_DICE:
            shown = locked_text(Roll(self.dice), self.locked)
        return f"{self.throws}{mark}:{shown}{'?' * (DICE - self.dice.count)}"

    def __str__(self) -> str:
        return self.text()


BEGIN: Final = Turn(0, NO_DICE)
"""A turn begins: all five dice are in the air."""

_TURN: Final = re.compile(r"([0-3])(!?):([1-6]*)(\|[1-6]*)?(\?*)", re.ASCII)


def turn_from_text(text: str) -> tuple[Turn, bool]:
    """The turn state and whether it carries the mark `!`. Raises `TextError` (`not-a-turn-state`).

    Whether the mark and the bar fit the game and its options is for the game to say.
    """
    match = _TURN.fullmatch(text)
    if match is not None:
        throws, mark, left, right, air = match.groups()
        turn = _turn(int(throws), left, right, len(air))
        if turn is not None:
            return turn, bool(mark)
    raise TextError(TextCode.NOT_A_TURN_STATE, text=text)


def _turn(throws: int, left: str, right: str | None, air: int) -> Turn | None:
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
    """`33|456`: the locked dice, a bar, and the others."""
    rest = list(shown.faces)
    for face in locked.faces:
        rest.remove(face)
    return f"{locked.text}|{''.join(map(str, rest))}"


def locked_from_text(text: str) -> tuple[Roll, Keep]:
    """The roll and its locked dice. Raises `DiceError`: both halves hold at least one die and ascend."""
    left, _, right = text.partition("|")
    locked, others = keep(left), dice(right)
    if not locked.count or not others.count:
        raise DiceError(DiceCode.NOT_FIVE_DICE, text=text)
    return roll("".join(sorted(left + right))), locked
