"""Local games: every step is saved before it is printed, saved games continue, refusals change
nothing.
"""

import errno
import os
from pathlib import Path

import pytest

from dicecup import record
from dicecup.core.dice import NO_DICE
from dicecup.core.errors import DicecupError
from dicecup.core.source import SeededSource
from dicecup.record.match import MatchGame
from dicecup.table.commands import Act, Command, EnterDice, OfferDraw, Resign, TakeBack
from dicecup.terminal import files
from dicecup.terminal.errors import StorageError
from dicecup.terminal.local import open_saved
from dicecup.terminal.local_record import Match
from dicecup.terminal.seats import Seat
from dicecup.terminal.session import Demand, Step
from tests.terminal.local_games import (
    ANNA,
    BEN,
    CARL,
    ROBO,
    dice,
    new_session,
    no_fsync,
    path,
    run,
    send,
    session_with_real_dice,
)

__all__ = ["no_fsync", "path"]


# --- Every step is saved before it is printed -----------------------------------------------------


@pytest.mark.parametrize("game, level", [("yam-master", "greedy"), ("yamm(players=1)", "random")])
def test_computers_play_a_game_and_every_step_is_saved_first(path: Path, game: str, level: str) -> None:
    seats = [Seat("Robo", level), Seat("Greta", level)][: 1 if "1" in game else 2]
    at = new_session(path, game, *seats)
    while (news := at.next()) is not None:
        assert path.read_text().startswith(at.record().to_text().partition("[Result")[0])
        assert path.read_text().partition("\n\n")[2].startswith(at.record().journal.to_text().rstrip("\n"))
        if isinstance(news, Step):
            assert at.snapshot().position == news.after.position
    assert at.snapshot().demand is Demand.OVER
    assert path.read_text() == at.record().to_text()
    assert record.load(path).tags["End"] in ("line", "tokens", "full")


def test_a_table_reopened_at_every_step_continues_equally(tmp_path: Path) -> None:
    seats = (Seat("Robo", "greedy"), Seat("Greta", "greedy"))
    through, again = tmp_path / "through", tmp_path / "again"
    run(new_session(through, "yam-master", *seats))
    at = new_session(again, "yam-master", *seats)
    while at.next() is not None and "End" not in record.load(again).tags:
        at = open_saved(again)
    assert again.read_text() == through.read_text()


def test_the_dice_follow_from_the_seed_and_its_starting_roll(path: Path) -> None:
    at = new_session(path, "yamm(players=3)", ANNA, BEN, CARL)
    run(at)
    kept = at.record()
    source = SeededSource("7")
    faces = [source.die() for _ in kept.tags["Start"].replace(";", "").split(" ")]
    assert kept.tags["Start"].replace(";", "") == " ".join(map(str, faces))
    assert str(kept.journal.position.turn) == f"1:{source.throw(NO_DICE).roll}"  # type: ignore[union-attr]


def test_a_computer_cannot_see_the_dice_source(path: Path) -> None:
    at = new_session(path, "yam-master", ROBO, ANNA)
    run(at)
    assert getattr(at._players[0], "seed", None) != "7"


# --- Refusals leave no trace ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "command, code",
    [
        (Act("c3"), "figure-not-held"),
        (Act("k66"), "not-these-dice"),
        (Act("nonsense"), "not-an-action"),
        (Act("f1.FH"), "not-an-action"),
        (dice("11234"), "not-real-dice"),
        (EnterDice("~"), "not-real-dice"),
        (TakeBack(), "nothing-to-take-back"),
    ],
)
def test_a_refusal_changes_nothing(path: Path, command: Command, code: str) -> None:
    at = new_session(path, "yam-master", ANNA, BEN)
    run(at)
    before, file = at.snapshot(), path.read_bytes()
    with pytest.raises(DicecupError) as caught:
        send(at, command)
    assert caught.value.code == code
    assert at.snapshot() == before
    assert path.read_bytes() == file


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_changes_nothing(path: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = new_session(path, "yam-master", ANNA, BEN)
    run(at)
    before, file = at.snapshot(), path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, call, full)
        with pytest.raises(StorageError) as caught:
            send(at, Act("--"))
    assert caught.value.code == "disk-full"
    assert at.snapshot() == before
    assert [path] == list(path.parent.iterdir())
    assert path.read_bytes() == file
    send(at, Act("--"))
    assert record.load(path).journal.turns == 1


def test_a_file_that_another_program_changed_is_kept(path: Path) -> None:
    at = new_session(path, "yam-master", ANNA, BEN)
    run(at)
    other = open_saved(path)
    send(other, Act("--"))
    with pytest.raises(StorageError) as caught:
        send(at, Act("--"))
    assert caught.value.code == "changed-elsewhere"
    assert record.load(path) == other.record()


def test_a_new_game_overwrites_nothing(path: Path) -> None:
    path.write_text("my diary")
    with pytest.raises(StorageError) as caught:
        new_session(path, "yam-master", ANNA, BEN)
    assert caught.value.code == "file-exists"
    assert path.read_text() == "my diary"


def test_a_folder_that_cannot_be_made_is_a_typed_error(path: Path) -> None:
    path.write_text("a file, no folder")
    with pytest.raises(StorageError) as caught:
        new_session(path / "game", "yam-master", ANNA, BEN)
    assert caught.value.code == "cannot-save"


# --- Resuming -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change, code",
    [
        ('[Dice "seed:7"]=[Dice "committed:' + "0" * 64 + '"]', "not-resumable"),
        ('[Dice "seed:7"]\n=', "not-resumable"),
        ('[Seats "human human"]=[Seats "human grandmaster"]', "not-a-level"),
        ('[Seats "human human"]=[Seats "human"]', "wrong-number-of-seats"),
    ],
)
def test_a_record_that_cannot_continue_is_refused(path: Path, change: str, code: str) -> None:
    new_session(path, "yam-master", ANNA, BEN)
    old, _, new = change.partition("=")
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(DicecupError) as caught:
        open_saved(path)
    assert caught.value.code == code


def test_a_record_from_elsewhere_has_people_in_all_seats(path: Path) -> None:
    path.write_text('[Game "yam-master"]\n[Dice "table"]\n\n1. 11235\n')
    state = open_saved(path).snapshot()
    assert [(seat.name, seat.is_human) for seat in state.seats] == [("X", True), ("O", True)]
    assert state.demand is Demand.ACTION


def test_a_finished_game_does_not_continue(path: Path) -> None:
    at = new_session(path, "yam-master", ANNA, BEN)
    run(at)
    send(at, Resign())
    with pytest.raises(DicecupError) as caught:
        open_saved(path)
    assert caught.value.code == "not-resumable"


def test_the_newest_unfinished_game_is_found(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        files.newest_unfinished(tmp_path)
    assert caught.value.code == "nothing-to-resume"
    first, second, third = (tmp_path / f"{name}.dicecup" for name in ("c", "a", "b"))
    for age, saved in enumerate((first, second, third)):
        at = new_session(saved, "yam-master", ANNA, BEN)
        run(at)
        if saved is third:
            send(at, OfferDraw())
        os.utime(saved, (1_000_000 + age, 1_000_000 + age))
    (tmp_path / "broken.dicecup").write_text("no record")
    assert files.newest_unfinished(tmp_path) == second


@pytest.mark.parametrize("standing", ["1", "1 2 3", "a b", "1 -2", "٣ 1"])
def test_an_invalid_standing_is_refused(path: Path, standing: str) -> None:
    new_session(path, "yam-master", ANNA, BEN, match=Match(MatchGame("m", 1, 2), (0, 0)))
    path.write_text(path.read_text().replace('"0 0"', f'"{standing}"'))
    with pytest.raises(DicecupError) as caught:
        open_saved(path)
    assert caught.value.code == "not-resumable"


@pytest.mark.parametrize("starting", ["7", "6", "2 3", "4 4 4"])
def test_an_invalid_or_settled_starting_roll_is_refused(path: Path, starting: str) -> None:
    session_with_real_dice(path, "yamm", ANNA, BEN)
    path.write_text(path.read_text().replace('[Starting ""]', f'[Starting "{starting}"]'))
    with pytest.raises(DicecupError):
        open_saved(path)
