"""`dicecup train-me`: questions, answers and the saved history."""

import io
import re
from pathlib import Path

import pytest

from dicecup import games
from dicecup.analysis.questions import TrainerQuestion, ask
from dicecup.analysis.registry import by_tables
from dicecup.analysis.trainer import Answer
from dicecup.cli import main
from dicecup.locale import LANGUAGES, Messages
from dicecup.terminal import history
from tests.sweep import sweep


def plain(text: str) -> str:
    """Return a text with single spaces: wrapped lines break at them."""
    return " ".join(text.split())


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    path = tmp_path / "training.jsonl"
    monkeypatch.setattr("dicecup.terminal.history.default_path", lambda: path)
    return path


def train(monkeypatch: pytest.MonkeyPatch, entries: list[str], *words: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{entry}\n" for entry in entries)))
    return main(["train-me", *words])


def question(game_id: str, number: int, difficulty: int) -> TrainerQuestion:
    game = games.from_id(game_id)
    return ask(game, by_tables(game), seed="a", number=number, difficulty=difficulty)


@sweep("language", LANGUAGES)
@sweep("game", ["yam-master", "yamm(players=1)"])
def test_right_answers_and_a_wrong_one(
    game: str, language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path
) -> None:
    """Two right answers make the third question harder. Every language prints it, and answers are
    saved.
    """
    asked = [question(game, number, difficulty) for number, difficulty in ((1, 1), (2, 1), (3, 2))]
    entries = [str(asked[0].found.best.action), str(asked[1].found.best.action), str(asked[2].found.choices[-1].action)]
    words = (game.partition("(")[0], "--seed", "a", "--questions", "3", "--lang", language)
    assert train(monkeypatch, entries, *words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    messages, printed = Messages(language), plain(out)
    for number, difficulty in ((1, 1), (2, 1), (3, 2)):
        assert plain(messages("trainer_question", number=number, questions=3, difficulty=difficulty, most=5)) in printed
    assert printed.count(plain(messages("trainer_right", action="\0").partition("\0")[0])) >= 2
    assert plain(messages("trainer_score", right=2, answers=3, loss="\0").partition("\0")[0]) in printed
    assert plain(messages("trainer_next", difficulty=1, most=5)) in printed
    answers = history.load(kept)
    assert [(answer.position, answer.played) for answer in answers] == [
        (str(each.position), entry) for each, entry in zip(asked, entries, strict=True)
    ]
    assert [answer.right for answer in answers] == [True, True, False]
    assert answers[2].loss == asked[2].found.choices[-1].loss


def test_the_wrong_answer_is_explained_beside_the_best(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = question("yam-master", 1, 1).found
    groups = found.groups
    assert train(monkeypatch, [str(groups[-1][0].action)], "yam-master", "--seed", "a", "--questions", "1") == 0
    output = " ".join(capsys.readouterr().out.split())
    assert f"number {len(groups)} of {len(groups)}. Better: {found.best.action} – " in output
    assert [action for action in re.findall(r"\d\. (\S+) – ", output) if action in map(str, found.position.actions)] == [
        str(groups[at][0].action) for at in sorted({0, 1, len(groups) - 1})
    ]


def test_an_invalid_answer_is_refused_and_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path
) -> None:
    entries = ["", "help", "rules", "board", "read", "actions", "odds", "z9", "hint", "resign", "k123456", "1. > f1.1", "quit"]
    assert train(monkeypatch, entries, "yam-master", "--seed", "a") == 0
    out = capsys.readouterr().out
    asked = question("yam-master", 1, 1)
    assert " ".join(map(str, asked.position.actions)) in " ".join(out.split())
    assert out.count("[not-an-entry]") == 4
    assert "[too-many-dice]" in out
    assert Messages("en")("trainer_right", action="\0").partition("\0")[0] not in out
    assert history.load(kept) == ()


def test_odds_of_a_keep(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked = next(each for number in range(1, 50) if (each := question("yamm(players=1)", number, 1)).position.turn.throws < 3)  # type: ignore[union-attr]
    monkeypatch.setattr("dicecup.terminal.trainer.ask", lambda *_, **__: asked)
    assert train(monkeypatch, ["odds -", "odds", "odds f1.1", "q"], "yamm") == 0
    assert "FH: " in capsys.readouterr().out


@pytest.mark.parametrize("leave, code", [(["quit"], 0), ([], 1)])
def test_answers_are_kept_when_a_person_quits(
    leave: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path
) -> None:
    best = str(question("yam-master", 1, 1).found.best.action)
    assert train(monkeypatch, [best, *leave], "yam-master", "--seed", "a") == code
    out, err = capsys.readouterr()
    assert len(history.load(kept)) == 1
    assert "Answers so far: 1" in out
    assert ("end-of-input" in err) == (code == 1)


def test_answers_are_kept_after_ctrl_c(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path) -> None:
    best = str(question("yam-master", 1, 1).found.best.action)
    entered = iter([best])

    def enter(_: str) -> str:
        for entry in entered:
            return entry
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", enter)
    assert main(["train-me", "yam-master", "--seed", "a"]) == 130
    assert len(history.load(kept)) == 1
    assert "Answers so far: 1" in capsys.readouterr().out


def test_the_next_session_continues_the_history(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path
) -> None:
    for answer in [answer_at(difficulty) for difficulty in (1, 1, 2, 2, 3) for _ in range(5)]:
        history.append(kept, answer)
    assert train(monkeypatch, ["quit"], "yam-master", "--seed", "b") == 0
    out = capsys.readouterr().out
    assert "difficulty 4 of 5" in out
    assert "Answers so far: 25" in out
    assert "The latest answers: 20 of 20 right" in out
    assert "The answers before: 5 of 5 right" in out
    assert "█" in out


def answer_at(difficulty: int) -> Answer:
    asked = question("yam-master", 1, 1)
    return Answer.from_json(
        {
            "time": "2026-11-20T12:00:00+00:00",
            "game": "yam-master",
            "position": str(asked.position),
            "difficulty": difficulty,
            "played": str(asked.found.best.action),
            "best": str(asked.found.best.action),
            "unit": "chance",
            "loss": 0,
        }
    )


def test_a_damaged_history_is_kept_aside(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path
) -> None:
    history.append(kept, answer_at(1))
    with kept.open("a") as file:
        file.write("damage\n")
    assert train(monkeypatch, ["quit"], "yam-master") == 0
    out = capsys.readouterr().out
    assert "[not-a-history]" in out
    assert "training.jsonl.damaged-1" in out
    assert kept.with_name("training.jsonl.damaged-1").read_text().endswith("damage\n")
    assert len(history.load(kept)) == 1


def test_the_game_is_asked_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(monkeypatch, ["2", "quit"]) == 0
    assert "P1" in capsys.readouterr().out


def test_untrained_options_are_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(monkeypatch, ["--", "--", "k-", "quit"], "yam-master(captured=out)", "--questions", "1") == 0
    assert Messages("en")("hints_foreign")[:40] in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "words, code",
    [
        (["chess"], "not-a-game"),
        (["yamm(players=3)"], "option-value"),
        (["yam-master", "--questions", "0"], "not-a-count"),
        (["yam-master(captured=maybe)"], "option-value"),
    ],
)
def test_refusals_have_a_sentence(
    words: list[str], code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(monkeypatch, [], *words) == 1
    assert code in capsys.readouterr().err


def test_an_answer_that_cannot_be_saved_is_not_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    blocked = tmp_path / "file" / "training.jsonl"
    monkeypatch.setattr("dicecup.terminal.history.default_path", lambda: blocked)
    monkeypatch.setattr("dicecup.terminal.history.load", lambda _: ())
    best = str(question("yam-master", 1, 1).found.best.action)
    assert train(monkeypatch, [best], "yam-master", "--seed", "a") == 1
    out, err = capsys.readouterr()
    assert "cannot-save" in err
    assert Messages("en")("trainer_right", action="\0").partition("\0")[0] not in out
