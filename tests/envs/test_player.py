"""A policy as a player of matches."""

import json
from random import Random
from typing import Any

import numpy as np
import pytest

from dicecup import games
from dicecup.arena.play import corrected, play_game, seeded
from dicecup.cli import main
from dicecup.core.dice import roll
from dicecup.core.errors import ActionError, GameError
from dicecup.core.game import Position
from dicecup.envs.arrays import Arrays
from dicecup.envs.encoding import Encoding
from dicecup.envs.errors import EnvsError
from dicecup.envs.options import yam_master_encoding, yamm_encoding
from dicecup.envs.player import PolicyPlayer
from dicecup.envs.process import Kind
from dicecup.players import create
from dicecup.yamm import Yamm
from tests.envs.playing import ENCODINGS, name, situations

ALONE, DUEL, BOARD = yamm_encoding(players=1), yamm_encoding(), yam_master_encoding()


def last(_: Any, mask: Any) -> int:
    """The policy that takes the last allowed action."""
    return int(np.flatnonzero(mask)[-1])


def first(_: Any, mask: Any) -> Any:
    """The policy that takes the first allowed action; an index may be an integer of NumPy."""
    return mask.argmax()


def make(seed: str) -> PolicyPlayer:
    """The agent of a match: it draws among the allowed actions."""
    random = Random(seed)
    return PolicyPlayer(lambda _, mask: random.choice(np.flatnonzero(mask).tolist()), BOARD)


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name)
def test_a_policy_sees_and_plays_what_the_environment_shows(encoding: Encoding) -> None:
    arrays = Arrays(encoding, "uint8")
    for now in situations(encoding, 3, most=120):
        if now.kind not in {Kind.DECISION, Kind.CORRECTION}:
            continue
        seen: list[Any] = []

        def policy(observation: Any, mask: Any, seen: list[Any] = seen) -> int:
            seen.extend((observation, mask))
            return last(observation, mask)

        player = PolicyPlayer(policy, encoding, "uint8")
        expected = list(now.actions)[-1]
        assert now.player is not None
        if now.kind is Kind.CORRECTION:
            assert player.correct(now.position, encoding.game.side_of_player(now.player)) == expected
        else:
            assert player.choose(now.position) == expected
        assert np.array_equal(seen[0], arrays.observation(encoding.observe(now, now.player)))
        assert np.flatnonzero(seen[1]).tolist() == encoding.legal(now)


def after_two_turns() -> Position:
    """Both sheets have a result, and the first one is about to become final."""
    position = Yamm().start()
    for _ in range(2):
        position = position.roll(roll("12366")).play("f1.6")
    return position


def test_a_result_may_move() -> None:
    position = after_two_turns()
    moved = corrected(position, [PolicyPlayer(first, DUEL), create("random")])
    assert moved == position.play("1. > d1.1")
    assert PolicyPlayer(first, DUEL).correct(position, 1) is None
    assert PolicyPlayer(first, DUEL).correct(Yamm().start(), 0) is None


def test_a_policy_of_a_sheet_alone_plays_its_own_sheet() -> None:
    seen: list[list[int]] = []

    def policy(observation: Any, mask: Any) -> int:
        seen.append(observation.tolist())
        return last(observation, mask)

    player = PolicyPlayer(policy, ALONE, "uint8")
    position = after_two_turns()
    assert player.correct(position, 0) is None
    assert str(player.choose(position.roll(roll("12345")))) == "f3.Y"
    single: Any = Yamm.from_id("yamm(players=1)").start().roll(roll("12366")).play("f1.6").roll(roll("12345"))
    assert str(player.choose(single)) == "f3.Y"
    assert seen[0] == seen[1]


@pytest.mark.parametrize("game,encoding", [("yamm(players=3)", ALONE), ("yamm", DUEL), ("yam-master", BOARD)])
def test_policies_play_whole_games(game: str, encoding: Encoding) -> None:
    start = games.from_id(game).start()
    finished = play_game(start, [PolicyPlayer(last, encoding)] * start.game.players, seeded("1"), 500)
    assert finished.error is None
    assert finished.position.turn is None or finished.position.number > 500


def test_a_policy_plays_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    named = ["tests.envs.test_player:make", "random"]
    assert main(["match", "yam-master", "--players", *named, "--games", "1", "--workers", "1", "--time", "300", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["failures"] == []


@pytest.mark.parametrize(
    "game,encoding",
    [
        ("yamm", BOARD),
        ("yam-master", ALONE),
        ("yam-master(end=full_round)", BOARD),
        ("yamm(kept_dice=locked)", ALONE),
        ("yamm(players=3)", DUEL),
        ("yamm", yamm_encoding("d1,u1", players=1)),
    ],
)
def test_positions_of_other_games_are_refused(game: str, encoding: Encoding) -> None:
    position = games.from_id(game).start().roll(roll("12345"))
    with pytest.raises(GameError) as refused:
        PolicyPlayer(last, encoding).choose(position)
    assert refused.value.details == {"option": "game", "value": game}


def test_a_policy_without_a_mask_is_told_so() -> None:
    position = games.from_id("yam-master").start().roll(roll("12345"))
    with pytest.raises(EnvsError, match="not-an-index"):
        PolicyPlayer(lambda *_: 471, BOARD).choose(position)
    with pytest.raises(ActionError, match="not-these-dice"):
        PolicyPlayer(lambda *_: BOARD.index_of("k6666"), BOARD).choose(position)
