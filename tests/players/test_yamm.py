"""The players of Yamm: their choices, their corrections and their relative strength."""

from pathlib import Path
from typing import TypeAlias

import pytest

from dicecup.core.dice import Keep, Roll
from dicecup.core.source import SeededSource
from dicecup.players import yamm
from dicecup.players.yamm import BATCH_LEVELS, TEMPERATURES, YammBeginner, YammExpert, YammMaster, simulate
from dicecup.yamm import Position, Yamm

YammPlayer: TypeAlias = YammExpert | YammBeginner
PLAYERS: dict[str, YammPlayer] = {
    "expert": YammExpert(),
    "master": YammMaster(work=300),
    **{level: YammBeginner(level, "some seed") for level in TEMPERATURES},
}
GAMES = ("yamm(players=1)", "yamm(kept_dice=locked)", "yamm(players=4,pairs=yes)", "yamm(players=3)")


def some_positions(game: Yamm, player: YammPlayer, turns: int) -> list[Position]:
    """Return the positions of the first turns of a game in which the player decides."""
    position, dice, found = game.start(), SeededSource("some dice"), []
    while position.number <= turns:
        assert position.turn is not None
        if position.waiting:
            throw = dice.throw(Keep(position.turn.dice))
            assert throw is not None
            position = position.roll(Roll(throw.roll))
        else:
            found.append(position)
            position = position.play(player.choose(position))
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", PLAYERS)
def test_every_choice_is_allowed_and_repeatable(game: str, level: str) -> None:
    player = PLAYERS[level]
    for position in some_positions(Yamm.from_id(game), player, 5):
        assert player.choose(position) == player.choose(Yamm.from_id(game).position(str(position)))


def test_the_choice_depends_on_the_position_alone() -> None:
    """Two games that reach the same position with different dice get the same choice."""
    game = Yamm.from_id("yamm(players=1)")
    one = game.start().roll("11234").play("k11").roll("11666")
    other = game.start().roll("11116").play("k11").roll("11666")
    for player in PLAYERS.values():
        assert player.choose(one) == player.choose(other)


def test_corrections_are_allowed_actions() -> None:
    expert, game = YammExpert(), Yamm.from_id("yamm")
    position = game.start().roll("11111").play("f1.ST").roll("23456")
    correct = expert.correct(position, 0)
    assert correct is not None
    assert correct in position.corrections
    assert expert.correct(position, 1) is None


@pytest.mark.slow
def test_each_level_has_a_higher_mean_than_the_one_below() -> None:
    levels = [*TEMPERATURES, "expert", "master"]
    assert tuple(levels) == BATCH_LEVELS
    means = [simulate(level, 9, 0, 160)["total"].mean() for level in levels]
    assert means == sorted(means)


def test_a_missing_table_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(yamm, "TABLE", tmp_path / "none.tables")
    from dicecup.engine.tables_file import TablesCode, TablesError

    with pytest.raises(TablesError) as refused:
        YammExpert().choose(Yamm.from_id("yamm").start().roll("12345"))
    assert refused.value.code is TablesCode.TABLES_MISSING
