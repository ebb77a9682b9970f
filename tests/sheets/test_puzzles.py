"""Own mistakes on paper: ten positions, and the solutions overleaf."""

import pytest

from dicecup import sheets
from dicecup.analysis.mistakes.found import losses_at, losses_of
from dicecup.analysis.review import review
from dicecup.locale import LANGUAGES, Messages
from dicecup.sheets import Puzzle, puzzle_pages
from tests.analysis.mistakes.records import played
from tests.sheets.papers import is_accessible, pages


def puzzles(game: str, count: int) -> list[Puzzle]:
    found = sorted(losses_of(review(played(game, "random"))), key=lambda mistake: -mistake.loss)[:count]
    return [Puzzle(each.position, each.theme, each.unit, losses_at(each.position), each.played) for each in found]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_solutions_are_overleaf(language: str) -> None:
    given = [*puzzles("yam-master", 6), *puzzles("yamm(players=1)", 6)]
    pdf = puzzle_pages(given, language)
    assert is_accessible(pdf)
    front, back = pages(pdf)
    messages = Messages(language)
    assert messages("print_puzzle_title") in front
    assert messages("print_puzzle_solutions") in back
    assert all(messages(f"theme_{puzzle.theme}") in back for puzzle in given[:10])
    assert not any(messages(f"theme_{puzzle.theme}") in front for puzzle in given[:10])
    assert [str(number) in back.split() for number in range(1, 11)] == [True] * 10
    worst = given[0]
    assert f"{100 * worst.losses[worst.played]:.1f}".replace(".", messages("decimal_sign")) in back


def test_another_game_has_no_puzzles() -> None:
    with pytest.raises(sheets.SheetError, match="no-page"):
        puzzle_pages([_of_another_game()], "en")


def _of_another_game() -> Puzzle:
    puzzle = puzzles("yam-master", 1)[0]

    class Other:
        name = id = "other"

    class Elsewhere:
        game = Other()
        turn = puzzle.position.turn

    return puzzle._replace(position=Elsewhere())  # type: ignore[arg-type]
