"""`dicecup train-me --mistakes`: the costly decisions of records, when they are due."""

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dicecup import games
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.mistakes.found import Mistake, Place, losses_at, losses_of, threshold
from dicecup.analysis.mistakes.portion import Card
from dicecup.analysis.review import review
from dicecup.analysis.theme import Theme
from dicecup.cli import main
from dicecup.locale import LANGUAGES, Messages
from dicecup.record import Record
from dicecup.terminal import history
from dicecup.terminal.console import Console
from dicecup.terminal.mistakes import COMPUTER, MistakeTrainer, OwnMistakes, PersonalCard, mistakes_of, opponent_of
from tests.analysis.mistakes.records import played
from tests.sweep import sweep

NOW = datetime(2026, 11, 25, 20, tzinfo=UTC)


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr("dicecup.terminal.history.default_path", lambda: tmp_path / "training.jsonl")
    return tmp_path / "mistakes.jsonl"


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Return the record of a game of a person against a computer."""
    path = tmp_path / "game.txt"
    head = '[X "Anna"]\n[O "casual"]\n[Dice "seed:mistakes"]\n[Seats "human casual"]\n'
    path.write_text(played("yam-master", "random").to_text().replace('[Dice "seed:mistakes"]\n', head), "utf-8")
    return str(path)


def train(monkeypatch: pytest.MonkeyPatch, entries: list[str], *words: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{entry}\n" for entry in entries)))
    return main(["train-me", *words])


@sweep("language", LANGUAGES)
def test_a_mistake_is_asked_judged_and_compared_with_the_game(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path, file: str
) -> None:
    found = review(played("yam-master", "random"))
    own = [lost for lost in losses_of(found) if lost.player == 0 and lost.loss > threshold("random", found.unit)]
    worst = max(own, key=lambda lost: lost.loss)
    entries = [str(worst.played)]
    assert train(monkeypatch, entries, "--mistakes", file, "--questions", "1", "--lang", language) == 0
    printed, messages = plain(capsys.readouterr().out), Messages(language)
    theme = messages(f"theme_{worst.theme}")
    assert plain(messages("mistakes_question", number=1, questions=1)) in printed
    told = messages("mistakes_played", theme=theme, action=f"{worst.played} – ", loss="\0")
    assert plain(told.partition(" – ")[0]) in printed
    assert plain(messages("mistakes_score", right=0, answers=1)) in printed
    (answer,) = history.load(kept)
    assert answer.position == str(worst.position)
    assert answer.loss == pytest.approx(worst.loss)


@pytest.mark.slow
def test_a_wrong_answer_returns_tomorrow_and_a_right_one_later(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path
) -> None:
    record = played("yam-master", "random")

    def asked(now: datetime) -> list[str]:
        """Answer the portion of a day, as in the game where that is a card of this day before, and
        return the positions that were asked."""
        before = history.load(kept)
        own = mistakes_of([record], before)
        for each in own.cards:
            right = before and before[0].position != str(each.mistake.position)
            action = next(iter(losses_at(each.mistake.position))) if right else each.mistake.played
            monkeypatch.setattr("sys.stdin", io.StringIO(f"{action}\n"))
            single = OwnMistakes([each], own.games)
            MistakeTrainer(Console(Messages("en")), single, kept, now).run(1)
        capsys.readouterr()
        return [answer.position for answer in history.load(kept)[len(before) :]]

    first = asked(NOW)
    assert len(first) == len(set(first)) > 2
    assert asked(NOW + timedelta(hours=1)) == []
    assert set(asked(NOW + timedelta(days=1))) == set(first)
    assert asked(NOW + timedelta(days=2)) == first[:1]  # the one that was wrong again


def test_a_drill_asks_own_cards_first_and_then_questions_of_the_computer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path, file: str
) -> None:
    found = review(played("yam-master", "random"))
    own = [lost for lost in losses_of(found) if lost.player == 0 and lost.loss > threshold("random", found.unit)]
    theme = min((lost.theme for lost in own), key=lambda theme: sum(lost.theme is theme for lost in own))
    cards = sorted((lost for lost in own if lost.theme is theme), key=lambda lost: -lost.loss)
    entries = [*(str(lost.played) for lost in cards), "quit"]
    words = ("--theme", theme, "--questions", str(len(cards) + 1), "--lang", "en")
    assert train(monkeypatch, entries, "--mistakes", file, *words) == 0
    printed = plain(capsys.readouterr().out)
    assert f"Cards of your games: {len(cards)}, questions made by the computer: 1." in printed
    assert f"Question {len(cards) + 1} of {len(cards) + 1}, made by the computer" in printed
    assert [answer.position for answer in history.load(kept)] == [str(lost.position) for lost in cards]


def test_a_drill_needs_no_records_and_stores_no_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path
) -> None:
    assert train(monkeypatch, ["k-", "quit"], "yam-master", "--theme", "first_keep", "--seed", "a", "--lang", "en") == 0
    printed = plain(capsys.readouterr().out)
    assert "Cards of your games: 0, questions made by the computer: 10." in printed
    assert "of 1." in printed
    assert history.load(kept) == ()
    assert train(monkeypatch, [], "yam-master", "--theme", "bonus") != 0
    assert "bonus" in capsys.readouterr().err


def test_only_the_named_player_counts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: str) -> None:
    assert train(monkeypatch, [], "--mistakes", file, "--name", "Ben") == 0
    assert "Cards: 0, due or new today: 0." in capsys.readouterr().out
    assert train(monkeypatch, ["quit"], "--mistakes", file, "--name", "Anna", "--lang", "en") == 0
    assert "Yam Master: what a game costs by theme (games: 1)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "seats, opponents", [("human casual", {COMPUTER}), ("human human", {"Ben", "Anna"}), ("casual human", {COMPUTER})]
)
def test_a_card_knows_its_opponent(seats: str, opponents: set[str]) -> None:
    game = played("yam-master", "random")
    named = Record({**game.tags, "X": "Anna", "O": "Ben", "Seats": seats}, game.journal)
    assert {each.opponent for each in mistakes_of([named], ()).cards} == opponents
    assert opponent_of(played("yamm(players=3)", "random", 1), 0) is None


def test_a_sentence_calls_the_opponent_of_a_card_by_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path
) -> None:
    position = games.position("yam-master", "5/1x3/oooo1/2x1x/4x x 3:12345 8-8 9")
    mistake = Mistake(Place(9, 0), 0, position, position.game.action("--"), Theme.BLOCKING, Unit.CHANCE, 0.1)
    card = Card("1", position.game.id, mistake.theme, mistake.unit, mistake.loss, None)
    for opponent, name in (("Ben", "Ben"), (COMPUTER, "the computer"), (None, "the opponent")):
        monkeypatch.setattr("sys.stdin", io.StringIO("e3\n"))
        own = OwnMistakes([PersonalCard(card, mistake, opponent)], [])
        MistakeTrainer(Console(Messages("en")), own, kept, NOW).run(1)
        assert f"gains 1 point on {name};" in plain(capsys.readouterr().out)


@pytest.mark.parametrize(
    "words", [["yamm", "--mistakes", "FILE"], ["--seed", "a", "--mistakes", "FILE"], ["--name", "Anna"], ["--theme", "luck"]]
)
def test_options_that_do_not_fit_are_refused(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: str
) -> None:
    assert train(monkeypatch, [], *(file if word == "FILE" else word for word in words)) != 0
    assert capsys.readouterr().err


def test_a_record_that_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(monkeypatch, [], "--mistakes", "missing.txt") == 1
    assert "missing.txt:0: cannot-read" in capsys.readouterr().err
