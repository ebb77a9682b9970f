"""A table saves every step before it tells it, goes on where it stopped, and refuses without a trace."""

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup import games, record
from dicecup.core.dice import NO_DICE, roll
from dicecup.core.errors import DicecupError
from dicecup.core.source import SeededSource, Throw
from dicecup.record.match import MatchGame
from dicecup.terminal import files, tags
from dicecup.terminal.errors import StorageError, TableError
from dicecup.terminal.link import Act, Acted, Agree, Command, Demand, Dice, Die, Go, Resign, TakeBack, Thrown
from dicecup.terminal.seats import Seat
from dicecup.terminal.table import Table, open_new, open_next, open_saved

ANNA, BEN, CARL, DORA = (Seat(name) for name in ("Anna", "Ben", "Carl", "Dora"))
ROBO = Seat("Robo", "random")
PAIRS = "yamm(players=4,pairs=yes)"


def table(
    path: Path, game: str, *seats: Seat, dice: str = "seed:7", writers: tuple[str, ...] = (), match: tags.Match | None = None
) -> Table:
    return open_new(path, tags.new_record(games.from_id(game), seats, dice, writers, match))


def real(path: Path, game: str, *seats: Seat, match: tags.Match | None = None) -> Table:
    return table(path, game, *seats, dice="table", match=match)


def dice(text: str) -> Dice:
    return Dice(Throw(roll(text)))


def run(at: Table) -> None:
    """Whatever happens by itself."""
    while at.next() is not None:
        pass


@pytest.fixture(autouse=True)
def disk_in_no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests don't pull the plug."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.dicecup"


# --- Every step is saved before it is told -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game, level", [("yam-master", "greedy"), ("yamm(players=1)", "random")])
def test_computers_play_a_whole_game_and_every_event_was_saved_first(path: Path, game: str, level: str) -> None:
    seats = [Seat("Robo", level), Seat("Greta", level)][: 1 if "1" in game else 2]
    at = table(path, game, *seats)
    while (event := at.next()) is not None:
        assert path.read_text() == at.state.record.to_text()
        if isinstance(event, Thrown | Acted):
            assert at.state.position == event.after
    assert at.state.demand is Demand.OVER
    assert record.load(path).tags["End"] in ("line", "tokens", "full")


def test_a_table_that_is_opened_again_at_every_step_goes_on_as_it_would_have(tmp_path: Path) -> None:
    seats = (Seat("Robo", "greedy"), Seat("Greta", "greedy"))
    through, again = tmp_path / "through", tmp_path / "again"
    run(table(through, "yam-master", *seats))
    at = table(again, "yam-master", *seats)
    while at.next() is not None and at.state.demand is not Demand.OVER:
        at = open_saved(again)
    assert again.read_text() == through.read_text()


def test_the_dice_are_those_of_the_seed_the_starting_roll_first(path: Path) -> None:
    at = table(path, "yamm(players=3)", ANNA, BEN, CARL)
    run(at)
    kept = at.state.record
    source = SeededSource("7")
    faces = [source.die() for _ in kept.tags["Start"].replace(";", "").split(" ")]
    assert kept.tags["Start"].replace(";", "") == " ".join(map(str, faces))
    assert str(kept.journal.position.turn) == f"1:{source.throw(NO_DICE).roll}"  # type: ignore[union-attr]


# --- Refusals leave no trace -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command, code",
    [
        (Act("c3"), "figure-not-held"),
        (Act("k66"), "not-these-dice"),
        (Act("nonsense"), "not-an-action"),
        (Act("f1.FH"), "not-an-action"),
        (dice("11234"), "no-dice-in-the-air"),
        (Dice(None), "void-throw-not-table"),
        (TakeBack(), "nothing-to-take-back"),
    ],
)
def test_a_refusal_leaves_everything_as_it_was(path: Path, command: Command, code: str) -> None:
    at = table(path, "yam-master", ANNA, BEN)
    run(at)
    before, file = at.state, path.read_bytes()
    with pytest.raises(DicecupError) as caught:
        at.send(command)
    assert caught.value.code == code
    assert at.state == before
    assert path.read_bytes() == file


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_everything_as_it_was(path: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = table(path, "yam-master", ANNA, BEN)
    run(at)
    before, file = at.state, path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, call, full)
        with pytest.raises(StorageError) as caught:
            at.send(Act("--"))
    assert caught.value.code == "disk-full"
    assert at.state == before
    assert [path] == list(path.parent.iterdir())
    assert path.read_bytes() == file
    at.send(Act("--"))
    assert record.load(path).journal.turns == 1


def test_a_file_that_somebody_else_changed_is_not_overwritten(path: Path) -> None:
    at = table(path, "yam-master", ANNA, BEN)
    run(at)
    other = open_saved(path)
    other.send(Act("--"))
    with pytest.raises(StorageError) as caught:
        at.send(Act("--"))
    assert caught.value.code == "changed-elsewhere"
    assert record.load(path) == other.state.record


def test_a_new_game_overwrites_nothing(path: Path) -> None:
    path.write_text("my diary")
    with pytest.raises(StorageError) as caught:
        table(path, "yam-master", ANNA, BEN)
    assert caught.value.code == "file-exists"
    assert path.read_text() == "my diary"


def test_a_folder_that_cannot_be_made_is_a_typed_error(path: Path) -> None:
    path.write_text("a file, no folder")
    with pytest.raises(StorageError) as caught:
        table(path / "game", "yam-master", ANNA, BEN)
    assert caught.value.code == "cannot-save"


# --- Resuming ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change, code",
    [
        ('[Dice "seed:7"]=[Dice "committed:' + "0" * 64 + '"]', "not-resumable"),
        ('[Dice "seed:7"]\n=', "not-resumable"),
        ('[Seats "human human"]=[Seats "human grandmaster"]', "not-a-level"),
        ('[Seats "human human"]=[Seats "human"]', "wrong-number-of-seats"),
    ],
)
def test_what_cannot_go_on_is_refused(path: Path, change: str, code: str) -> None:
    table(path, "yam-master", ANNA, BEN)
    old, _, new = change.partition("=")
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(TableError) as caught:
        open_saved(path)
    assert caught.value.code == code


def test_a_record_from_elsewhere_has_people_in_all_seats(path: Path) -> None:
    path.write_text('[Game "yam-master"]\n[Dice "table"]\n\n1. 11235\n')
    state = open_saved(path).state
    assert [(seat.name, seat.is_human) for seat in state.seats] == [("X", True), ("O", True)]
    assert state.demand is Demand.ACTION


def test_a_game_that_is_over_does_not_go_on(path: Path) -> None:
    at = table(path, "yam-master", ANNA, BEN)
    run(at)
    at.send(Resign())
    with pytest.raises(TableError) as caught:
        open_saved(path)
    assert caught.value.code == "not-resumable"


def test_the_newest_unfinished_game_is_found(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        files.newest_unfinished(tmp_path)
    assert caught.value.code == "nothing-to-resume"
    first, second, third = (tmp_path / f"{name}.dicecup" for name in ("c", "a", "b"))
    for age, path in enumerate((first, second, third)):
        at = table(path, "yam-master", ANNA, BEN)
        run(at)
        if path is third:
            at.send(Agree())
        os.utime(path, (1_000_000 + age, 1_000_000 + age))
    (tmp_path / "broken.dicecup").write_text("no record")
    assert files.newest_unfinished(tmp_path) == second


# --- Real dice ---------------------------------------------------------------------------------------------------------------


def test_a_void_throw_and_a_knocked_die(path: Path) -> None:
    at = real(path, "yam-master", ANNA, BEN)
    for command in (dice("11235"), Act("k11"), Dice(None), dice("22334"), Act("k22"), dice("22266")):
        at.send(command)
    assert at.state.record.journal.words == ("11235", "k11", "~", "22334", "k22", "22266")


def test_taking_back_ends_with_the_last_entry(path: Path) -> None:
    at = real(path, "yam-master", ANNA, BEN)
    at.send(dice("11235"))
    for command in (Act("k11"), dice("11166")):
        at.send(command)
        at = open_saved(path)  # also after the program was ended
        at.send(TakeBack())
        with pytest.raises(TableError):
            at.send(TakeBack())
        at.send(command)
    at.send(Act("a1"))
    at.send(TakeBack())
    assert at.state.record.journal.words == ("11235", "k11", "11166")


def test_taking_back_dice_takes_back_what_the_computer_did_with_them(path: Path) -> None:
    at = real(path, "yam-master", ROBO, ANNA)
    before = path.read_bytes()
    at.send(dice("11235"))
    run(at)
    assert len(at.state.record.journal.words) > 1 or at.state.record.journal.lines
    at.send(TakeBack())
    assert path.read_bytes() == before


@given(st.lists(st.integers(1, 6), max_size=12))
def test_a_starting_roll_can_be_taken_back_die_by_die(faces: list[int]) -> None:
    seats = (ANNA, BEN, CARL, DORA)
    match = tags.Match(MatchGame("m", 2, 3), (100, 200))
    kept = tags.new_record(games.from_id(PAIRS), seats, "table", ("Carl", "Dora"), match)
    for face in faces:
        starting = tags.starting_of(kept)
        if starting is None:
            break
        after = tags.with_starting(kept, starting.throw(face))
        assert tags.without_last_die(after) == kept
        record.read(after.to_text())
        kept = after
    if tags.starting_of(kept) is None:
        order = [kept.tags[f"P{place}"] for place in (1, 2, 3, 4)]
        assert order in [["Anna", "Ben", "Carl", "Dora"][k:] + ["Anna", "Ben", "Carl", "Dora"][:k] for k in range(4)]
        assert {kept.tags[writer] for writer in kept.tags["Writer"].split(" ")} == {"Carl", "Dora"}
        total = dict(zip(("P1", "P2"), kept.tags["Standing"].split(" "), strict=True))
        assert total["P1"] == ("100" if kept.tags["P1"] in ("Anna", "Carl") else "200")


# --- Yamm: what may be moved, and by whom ------------------------------------------------------------------------------------


def test_a_throw_that_makes_a_result_final_waits_for_a_word(path: Path) -> None:
    at = table(path, "yamm(players=1)", ANNA)
    run(at)
    at.send(Act("f1.H"))
    assert at.state.demand is Demand.GO
    assert at.next() is None
    at.send(Act("1. > f2.H"))
    assert at.state.demand is Demand.GO
    at.send(Go())
    with pytest.raises(DicecupError) as caught:
        at.send(Act("1. > f3.H"))
    assert caught.value.code == "correction-too-late"


def test_a_person_moves_no_result_of_the_computers(path: Path) -> None:
    at = real(path, "yamm", ROBO, ANNA)
    at.send(Die(6))
    while at.state.position.number == 1:
        at.send(dice("22334"))
        run(at)
    at.send(dice("11235"))
    with pytest.raises(TableError) as caught:
        at.send(Act(next(str(action) for action in at.state.position.corrections)))  # type: ignore[union-attr]
    assert caught.value.code == "not-your-result"


@pytest.mark.parametrize(
    "game, seats, writers, code",
    [
        ("yamm", (ANNA, BEN), ("Anna",), "not-a-writer"),
        ("yam-master", (ANNA, BEN), ("Anna",), "not-a-writer"),
        (PAIRS, (ANNA, BEN, CARL, DORA), ("Anna", "Carl"), "not-a-writer"),
        (PAIRS, (ANNA, BEN, CARL, DORA), ("Emil",), "not-a-writer"),
        (PAIRS, (ANNA, BEN, ROBO, DORA), ("Anna",), "not-a-writer"),
        (PAIRS, (ANNA, BEN), (), "wrong-number-of-seats"),
    ],
)
def test_writers(path: Path, game: str, seats: tuple[Seat, ...], writers: tuple[str, ...], code: str) -> None:
    with pytest.raises(TableError) as caught:
        table(path, game, *seats, writers=writers)
    assert caught.value.code == code
    assert not path.exists()


# --- Ends and matches --------------------------------------------------------------------------------------------------------


def test_resigning_and_agreeing_in_yam_master(tmp_path: Path) -> None:
    for command, result, end in ((Resign(), "o 0-0", "resign"), (Agree(), "draw 0-0", "agreed")):
        at = table(tmp_path / end, "yam-master", ANNA, BEN)
        run(at)
        at.send(command)
        kept = record.load(tmp_path / end)
        assert (kept.tags["Result"], kept.tags["End"]) == (result, end)


def test_resigning_in_yamm_leaves_the_win_to_the_best_of_the_others(path: Path) -> None:
    at = real(path, "yamm(players=3)", ANNA, BEN, CARL)
    for command in (Die(6), dice("11111"), Act("f1.Y"), dice("66666"), Act("f1.Y"), dice("55555"), Act("f1.Y"), dice("11235")):
        at.send(command)
    at.send(Resign())
    kept = record.load(path)
    assert kept.tags["Winners"] == "1"
    assert kept.tags["Result"] == "180 170 165"


def test_alone_there_is_nobody_to_resign_to(path: Path) -> None:
    at = table(path, "yamm(players=1)", ANNA)
    run(at)
    with pytest.raises(TableError) as caught:
        at.send(Resign())
    assert caught.value.code == "nobody-to-resign-to"


def test_a_match_of_yam_master_alternates_the_start_and_counts_games(path: Path) -> None:
    match = tags.Match(MatchGame("m", 1, 3), (0, 0))
    at = table(path, "yam-master", ANNA, BEN, match=match)
    run(at)
    at.send(Resign())
    following = open_saved(path)  # Ben won as o; now he is x
    kept = following.state.record
    assert [kept.tags[name] for name in ("X", "O", "Match", "Standing", "Dice")] == [
        "Ben",
        "Anna",
        "m 2/3",
        "1 0",
        "seed:7 2/3",
    ]
    run(following)
    following.send(Agree())
    assert isinstance(following.state.path, Path)
    third = open_next(following.state.path, following.state.record)
    assert third is not None
    kept = third.state.record
    assert [kept.tags[name] for name in ("X", "O", "Match", "Standing", "Dice")] == [
        "Anna",
        "Ben",
        "m 3/3",
        "0 1",
        "seed:7 3/3",
    ]
    assert [file.name for file in sorted(path.parent.iterdir())] == ["game-2.dicecup", "game-3.dicecup", "game.dicecup"]
    run(third)
    third.send(Resign())
    assert isinstance(third.state.path, Path)
    assert open_next(third.state.path, third.state.record) is None
    assert tags.standing_after(third.state.record) == (0, 2)


def test_a_match_of_yamm_adds_the_totals_of_the_sheets(path: Path) -> None:
    at = real(path, "yamm", ANNA, BEN, match=tags.Match(MatchGame("m", 1, 2), (0, 0)))
    for command in (Die(2), Die(3), dice("11111"), Act("f1.Y"), dice("11235"), Agree()):
        at.send(command)
    over = at.state.record
    assert [over.tags[name] for name in ("P1", "P2", "Start", "Result", "Winners")] == ["Ben", "Anna", "2 3", "180 0", "0 1"]
    following = open_next(path, over)
    assert following is not None
    following.send(Die(3))
    following.send(Die(6))
    kept = following.state.record
    assert [kept.tags[name] for name in ("P1", "P2", "Standing")] == ["Anna", "Ben", "0 180"]


@pytest.mark.parametrize("standing", ["1", "1 2 3", "a b", "1 -2", "٣ 1"])
def test_a_standing_that_is_none_is_refused(path: Path, standing: str) -> None:
    table(path, "yam-master", ANNA, BEN, match=tags.Match(MatchGame("m", 1, 2), (0, 0)))
    path.write_text(path.read_text().replace('"0 0"', f'"{standing}"'))
    with pytest.raises(TableError) as caught:
        open_saved(path)
    assert caught.value.code == "not-resumable"


@pytest.mark.parametrize("starting", ["7", "6", "2 3", "4 4 4"])
def test_a_starting_roll_that_is_none_or_settled_is_refused(path: Path, starting: str) -> None:
    real(path, "yamm", ANNA, BEN)
    path.write_text(path.read_text().replace('[Starting ""]', f'[Starting "{starting}"]'))
    with pytest.raises(DicecupError):
        open_saved(path)


def test_a_computer_learns_nothing_of_the_dice(path: Path) -> None:
    at = table(path, "yam-master", ROBO, ANNA)
    at.next()
    at.next()
    assert getattr(at._players[0], "seed", None) != "7"
