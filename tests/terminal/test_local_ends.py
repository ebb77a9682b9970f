"""Ends of local games, and matches."""

from pathlib import Path

from dicecup import record
from dicecup.record.match import MatchGame
from dicecup.table.commands import Act, EndGame, EnterDie, OfferDraw, Replace, Resign
from dicecup.terminal.local import LocalSession, open_next, open_saved
from dicecup.terminal.local_record import Match, match_standing
from dicecup.terminal.session import Demand
from tests.terminal.local_games import ANNA, BEN, CARL, dice, new_session, no_fsync, path, run, send, session_with_real_dice

__all__ = ["no_fsync", "path"]


def test_resigning_and_agreeing_end_the_game(tmp_path: Path) -> None:
    for command, result, end in ((Resign(), "o 0-0", "resign"), (OfferDraw(), "draw 0-0", "agreed")):
        at = new_session(tmp_path / end, "yam-master", ANNA, BEN)
        run(at)
        send(at, command)
        kept = record.load(tmp_path / end)
        assert (kept.tags["Result"], kept.tags["End"]) == (result, end)


def after_three_yamms(path: Path) -> LocalSession:
    """Return a game of three players who wrote a Yamm in the first round."""
    at = session_with_real_dice(path, "yamm(players=3)", ANNA, BEN, CARL)
    send(at, EnterDie(6))
    for shown in ("11111", "66666", "55555"):
        send(at, dice(shown))
        send(at, Act("f1.Y"))
    send(at, dice("11235"))
    send(at, Resign())
    return at


def test_the_people_who_remain_can_end_the_game(path: Path) -> None:
    at = after_three_yamms(path)
    assert at.snapshot().demand is Demand.REPLACEMENT
    send(at, EndGame())
    kept = record.load(path)
    assert [kept.tags[name] for name in ("End", "Winners", "Result")] == ["resign", "1", "180 170 165"]


def test_a_computer_plays_on_for_a_seat_that_resigns(path: Path) -> None:
    at = after_three_yamms(path)
    send(at, Replace("random"))
    kept = record.load(path)
    assert (kept.tags["Seats"], "End" in kept.tags) == ("random human human", False)
    assert open_saved(path).snapshot().demand is at.snapshot().demand


def test_a_match_of_yam_master_alternates_the_start_and_counts_games(path: Path) -> None:
    match = Match(MatchGame("m", 1, 3), (0, 0))
    at = new_session(path, "yam-master", ANNA, BEN, match=match)
    run(at)
    send(at, Resign())
    following = open_saved(path)  # Ben won as o; now he is x
    kept = following.record()
    assert [kept.tags[name] for name in ("X", "O", "Match", "Standing", "Dice")] == [
        "Ben",
        "Anna",
        "m 2/3",
        "1 0",
        "seed:7 2/3",
    ]
    run(following)
    send(following, OfferDraw())
    assert following.path is not None
    third = open_next(following.path, following.record())
    assert third is not None
    kept = third.record()
    assert [kept.tags[name] for name in ("X", "O", "Match", "Standing", "Dice")] == [
        "Anna",
        "Ben",
        "m 3/3",
        "0 1",
        "seed:7 3/3",
    ]
    assert [file.name for file in sorted(path.parent.iterdir())] == ["game-2.dicecup", "game-3.dicecup", "game.dicecup"]
    run(third)
    send(third, Resign())
    assert third.path is not None
    assert open_next(third.path, third.record()) is None
    assert match_standing(third.record()) == (0, 2)


def test_a_match_of_yamm_adds_the_totals_of_the_sheets(path: Path) -> None:
    at = session_with_real_dice(path, "yamm", ANNA, BEN, match=Match(MatchGame("m", 1, 2), (0, 0)))
    for command in (EnterDie(2), EnterDie(3), dice("11111"), Act("f1.Y"), dice("11235"), OfferDraw()):
        send(at, command)
    over = at.record()
    assert [over.tags[name] for name in ("P1", "P2", "Start", "Result", "Winners")] == ["Ben", "Anna", "2 3", "180 0", "0 1"]
    following = open_next(path, over)
    assert following is not None
    send(following, EnterDie(3))
    send(following, EnterDie(6))
    kept = following.record()
    assert [kept.tags[name] for name in ("P1", "P2", "Standing")] == ["Anna", "Ben", "0 180"]
