"""A local table: every step is saved before it is printed, saved games continue, refusals change
nothing.
"""

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup import games, record
from dicecup.core.dice import NO_DICE, Keep
from dicecup.core.errors import DicecupError
from dicecup.core.source import SeededSource
from dicecup.record.match import MatchGame
from dicecup.table.commands import Act, Command, EndGame, EnterDice, EnterDie, OfferDraw, Replace, Resign, TakeBack, Throw
from dicecup.table.events import DieThrown, Stored
from dicecup.terminal import files
from dicecup.terminal.errors import StorageError
from dicecup.terminal.local import LocalSession, open_new, open_next, open_saved
from dicecup.terminal.local_record import Match, match_standing, new_record, saved_record, table_of
from dicecup.terminal.seats import Seat
from dicecup.terminal.session import Demand, Step

ANNA, BEN, CARL, DORA = (Seat(name) for name in ("Anna", "Ben", "Carl", "Dora"))
ROBO = Seat("Robo", "random")
PAIRS = "yamm(players=4,pairs=yes)"


def table(
    path: Path, game: str, *seats: Seat, dice: str = "seed:7", writers: tuple[str, ...] = (), match: Match | None = None
) -> LocalSession:
    """Return a session for a new game."""
    return open_new(path, new_record(games.from_id(game), seats, dice, writers, match))


def real(path: Path, game: str, *seats: Seat, match: Match | None = None) -> LocalSession:
    """Return a session for a new game with real dice."""
    return table(path, game, *seats, dice="table", match=match)


def dice(text: str) -> EnterDice:
    """Return the command that enters a throw."""
    return EnterDice(text)


def send(at: LocalSession, command: Command) -> None:
    """Send a command and take all events that follow from it."""
    at.send(command)
    run(at)


def run(at: LocalSession) -> None:
    """Take events until the table waits for a person."""
    while at.next() is not None:
        pass


@pytest.fixture(autouse=True)
def no_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip `fsync`: no test turns off the machine."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of the saved game."""
    return tmp_path / "game.dicecup"


# --- Every step is saved before it is printed -----------------------------------------------------


@pytest.mark.parametrize("game, level", [("yam-master", "greedy"), ("yamm(players=1)", "random")])
def test_computers_play_a_game_and_every_step_is_saved_first(path: Path, game: str, level: str) -> None:
    seats = [Seat("Robo", level), Seat("Greta", level)][: 1 if "1" in game else 2]
    at = table(path, game, *seats)
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
    run(table(through, "yam-master", *seats))
    at = table(again, "yam-master", *seats)
    while at.next() is not None and "End" not in record.load(again).tags:
        at = open_saved(again)
    assert again.read_text() == through.read_text()


def test_the_dice_follow_from_the_seed_and_its_starting_roll(path: Path) -> None:
    at = table(path, "yamm(players=3)", ANNA, BEN, CARL)
    run(at)
    kept = at.record()
    source = SeededSource("7")
    faces = [source.die() for _ in kept.tags["Start"].replace(";", "").split(" ")]
    assert kept.tags["Start"].replace(";", "") == " ".join(map(str, faces))
    assert str(kept.journal.position.turn) == f"1:{source.throw(NO_DICE).roll}"  # type: ignore[union-attr]


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
    at = table(path, "yam-master", ANNA, BEN)
    run(at)
    before, file = at.snapshot(), path.read_bytes()
    with pytest.raises(DicecupError) as caught:
        send(at, command)
    assert caught.value.code == code
    assert at.snapshot() == before
    assert path.read_bytes() == file


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_changes_nothing(path: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = table(path, "yam-master", ANNA, BEN)
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
    at = table(path, "yam-master", ANNA, BEN)
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
        table(path, "yam-master", ANNA, BEN)
    assert caught.value.code == "file-exists"
    assert path.read_text() == "my diary"


def test_a_folder_that_cannot_be_made_is_a_typed_error(path: Path) -> None:
    path.write_text("a file, no folder")
    with pytest.raises(StorageError) as caught:
        table(path / "game", "yam-master", ANNA, BEN)
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
    table(path, "yam-master", ANNA, BEN)
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
    at = table(path, "yam-master", ANNA, BEN)
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
    for age, path in enumerate((first, second, third)):
        at = table(path, "yam-master", ANNA, BEN)
        run(at)
        if path is third:
            send(at, OfferDraw())
        os.utime(path, (1_000_000 + age, 1_000_000 + age))
    (tmp_path / "broken.dicecup").write_text("no record")
    assert files.newest_unfinished(tmp_path) == second


# --- Real dice ------------------------------------------------------------------------------------


def test_a_void_throw_and_a_knocked_die(path: Path) -> None:
    at = real(path, "yam-master", ANNA, BEN)
    for command in (dice("11235"), Act("k11"), EnterDice("~"), dice("22334"), Act("k22"), dice("22266")):
        send(at, command)
    assert at.record().journal.words == ("11235", "k11", "~", "22334", "k22", "22266")


def test_taking_back_ends_with_the_last_entry(path: Path) -> None:
    at = real(path, "yam-master", ANNA, BEN)
    send(at, dice("11235"))
    for command in (Act("k11"), dice("11166")):
        send(at, command)
        at = open_saved(path)  # also after the program was ended
        send(at, TakeBack())
        with pytest.raises(DicecupError):
            send(at, TakeBack())
        send(at, command)
    send(at, Act("a1"))
    send(at, TakeBack())
    assert at.record().journal.words == ("11235", "k11", "11166")


def test_taking_back_dice_undoes_the_computers_actions(path: Path) -> None:
    at = real(path, "yam-master", ROBO, ANNA)
    before = path.read_bytes()
    send(at, dice("11235"))
    run(at)
    assert len(at.record().journal.words) > 1 or at.record().journal.lines
    send(at, TakeBack())
    assert path.read_bytes() == before


@pytest.mark.parametrize("game", ["yam-master", "yamm"])
def test_a_person_enters_the_real_dice_of_computers_among_themselves(path: Path, game: str) -> None:
    at = real(path, game, ROBO, Seat("Rita", "greedy"))
    run(at)
    source = SeededSource("computers")
    entered = 0
    while entered < 40 and at.snapshot().demand is not Demand.OVER:
        if at.snapshot().demand is Demand.DIE:
            send(at, EnterDie(source.die()))
            continue
        assert at.snapshot().demand is Demand.DICE
        turn = at.table.position.turn
        assert turn is not None
        throw = source.throw(Keep(turn.dice))
        assert throw is not None
        send(at, dice(str(throw.roll)))
        entered += 1
    assert entered == 40
    assert record.load(path).journal.turns > 10


@given(st.lists(st.integers(1, 6), max_size=12))
def test_a_saved_starting_roll_gives_the_same_table(faces: list[int]) -> None:
    seats = (ANNA, BEN, CARL, DORA)
    match = Match(MatchGame("m", 2, 3), (100, 200))
    kept = new_record(games.from_id(PAIRS), seats, "table", ("Carl", "Dora"), match)
    at, begun = table_of(kept)
    for face in faces:
        if at.order:
            break
        assert at.starting is not None
        at = at.apply(Stored(at.number + 1, 0.0, DieThrown(face, seat=at.starting.seat)))
        kept = saved_record(at, begun)
        again, begun_again = table_of(record.read(kept.to_text()))
        assert (again, begun_again) == (at, begun)
        assert saved_record(again, begun_again) == kept
    if at.order:
        order = [kept.tags[f"P{place}"] for place in (1, 2, 3, 4)]
        assert order in [["Anna", "Ben", "Carl", "Dora"][k:] + ["Anna", "Ben", "Carl", "Dora"][:k] for k in range(4)]
        assert {kept.tags[writer] for writer in kept.tags["Writer"].split(" ")} == {"Carl", "Dora"}
        total = dict(zip(("P1", "P2"), kept.tags["Standing"].split(" "), strict=True))
        assert total["P1"] == ("100" if kept.tags["P1"] in ("Anna", "Carl") else "200")


def test_starting_dice_are_taken_back_one_at_a_time(path: Path) -> None:
    at = real(path, "yamm(players=3)", ANNA, BEN, CARL)
    for face in (4, 4, 6):
        before = path.read_bytes()
        send(at, EnterDie(face))
        at = open_saved(path)
        send(at, TakeBack())
        assert path.read_bytes() == before
        send(at, EnterDie(face))
    assert [record.load(path).tags[name] for name in ("P1", "P2", "P3", "Start")] == ["Carl", "Anna", "Ben", "4 4 6"]


def test_notes_of_a_record_are_kept(path: Path) -> None:
    path.write_text('[Game "yam-master"]\n[Event "Club"]\n[Dice "table"]\n[Result "*"]\n\n1. 11235 -- %x=1 ; a comment\n')
    at = open_saved(path)
    send(at, dice("11235"))
    assert path.read_text().endswith("1. 11235 -- %x=1 ; a comment\n2. 11235\n")
    assert '[Event "Club"]' in path.read_text()


# --- Yamm: what may be moved, and by whom ---------------------------------------------------------


def test_a_throw_that_makes_a_result_final_needs_an_entry(path: Path) -> None:
    at = table(path, "yamm(players=1)", ANNA)
    run(at)
    send(at, Act("f1.H"))
    assert at.snapshot().demand is Demand.THROW
    assert at.next() is None
    send(at, Act("1. > f2.H"))
    assert at.snapshot().demand is Demand.THROW
    send(at, Throw())
    with pytest.raises(DicecupError) as caught:
        send(at, Act("1. > f3.H"))
    assert caught.value.code == "correction-too-late"


def test_a_person_cannot_correct_results_of_computers(path: Path) -> None:
    at = real(path, "yamm", ROBO, ANNA)
    send(at, EnterDie(6))
    while at.snapshot().position.number == 1:
        send(at, dice("22334"))
        run(at)
    send(at, dice("11235"))
    with pytest.raises(DicecupError) as caught:
        send(at, Act(next(str(action) for action in at.snapshot().position.corrections)))
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
    with pytest.raises(DicecupError) as caught:
        table(path, game, *seats, writers=writers)
    assert caught.value.code == code
    assert not path.exists()


# --- Ends and matches -----------------------------------------------------------------------------


def test_resigning_and_agreeing_in_yam_master(tmp_path: Path) -> None:
    for command, result, end in ((Resign(), "o 0-0", "resign"), (OfferDraw(), "draw 0-0", "agreed")):
        at = table(tmp_path / end, "yam-master", ANNA, BEN)
        run(at)
        send(at, command)
        kept = record.load(tmp_path / end)
        assert (kept.tags["Result"], kept.tags["End"]) == (result, end)


def after_three_yamms(path: Path) -> LocalSession:
    """Return a game of three players who wrote a Yamm in the first round."""
    at = real(path, "yamm(players=3)", ANNA, BEN, CARL)
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
    at = table(path, "yam-master", ANNA, BEN, match=match)
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
    at = real(path, "yamm", ANNA, BEN, match=Match(MatchGame("m", 1, 2), (0, 0)))
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


@pytest.mark.parametrize("standing", ["1", "1 2 3", "a b", "1 -2", "٣ 1"])
def test_an_invalid_standing_is_refused(path: Path, standing: str) -> None:
    table(path, "yam-master", ANNA, BEN, match=Match(MatchGame("m", 1, 2), (0, 0)))
    path.write_text(path.read_text().replace('"0 0"', f'"{standing}"'))
    with pytest.raises(DicecupError) as caught:
        open_saved(path)
    assert caught.value.code == "not-resumable"


@pytest.mark.parametrize("starting", ["7", "6", "2 3", "4 4 4"])
def test_an_invalid_or_settled_starting_roll_is_refused(path: Path, starting: str) -> None:
    real(path, "yamm", ANNA, BEN)
    path.write_text(path.read_text().replace('[Starting ""]', f'[Starting "{starting}"]'))
    with pytest.raises(DicecupError):
        open_saved(path)


def test_a_computer_cannot_see_the_dice_source(path: Path) -> None:
    at = table(path, "yam-master", ROBO, ANNA)
    run(at)
    assert getattr(at._players[0], "seed", None) != "7"
