"""Pictures of games: limits of their sizes, what a frame of a replay marks, and other games."""

from io import BytesIO

import pytest
from PIL import Image

from dicecup import sheets
from dicecup.locale import LANGUAGES, Messages
from dicecup.record import Record
from dicecup.sheets import SheetError, pictured, pictures
from tests.sheets.papers import flat, pages, played

DUEL = played("yam-master", "Anna", "Zoë Großmüller & Söhne", most=40)
FOUR = played("yamm(players=4)", "Anna", "Benoît", "Çelik", "#strong[D]")
PAIRS = played("yamm(players=8,pairs=yes)", *"ABCDEFGH", most=60)


@pytest.mark.slow
@pytest.mark.parametrize("game", [DUEL, FOUR, PAIRS], ids=lambda game: game.game.id)
def test_cards_keep_their_limit_with_and_without_pillow(game: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    text = game.to_text()
    for language in LANGUAGES:
        card = pictures.game_card(text, language)
        assert Image.open(BytesIO(card)).size == pictures.CARD_SIZE
        assert len(card) <= pictures.MOST_CARD
        assert len(pictures.position_card(game.game.id, str(game.journal.position), language)) <= pictures.MOST_CARD
    monkeypatch.setattr(pictures, "has_pillow", lambda: False)
    small = pictures.game_card(text, "de")
    assert Image.open(BytesIO(small)).size == pictures.SMALL_CARD_SIZE
    assert len(small) <= pictures.MOST_CARD
    with pytest.raises(SheetError) as refused:
        pictures.replay(text, "de")
    assert refused.value.code == "no-replay"


@pytest.mark.slow
def test_a_long_replay_keeps_its_limits() -> None:
    made = pictures.replay(FOUR.to_text(), "fr")
    opened = Image.open(BytesIO(made))
    assert len(made) <= pictures.MOST_REPLAY
    assert 50 < opened.n_frames <= pictured.MOST_FRAMES + 2  # type: ignore[attr-defined]
    assert opened.info["loop"] == 0


def test_each_frame_marks_what_changed_and_shows_its_dice() -> None:
    first, *turns, last = pictured.frames_of(DUEL, Messages("en"))
    assert (first["marked"], first["dice"], last["dice"]) == ([], [], [])
    assert len(turns) == len(DUEL.journal.lines)
    for frame in turns:
        assert len(frame["dice"]) == 5
        assert len(frame["marked"]) <= 1
    frames = pictured.frames_of(played("yamm", "Anna", "Ben", most=40), Messages("en"))
    marked = [sum(len(sheet["marked"]) for sheet in frame["sheets"]) for frame in frames[1:-1]]
    assert min(marked) >= 1
    assert frames[1]["heading"] == "1. Anna"


def test_another_game_has_no_picture() -> None:
    with pytest.raises(SheetError) as refused:
        pictured.game_title("third", Messages("en"))
    assert refused.value.code == "no-page"


@pytest.mark.slow
@pytest.mark.parametrize(
    "language, duel, four",
    [
        ("en", "Yam Master: Anna – Computer (Random)", "Yamm: Computer (Club) – random – Computer (Club 2) – Dana"),
        ("de", "Yam Master: Anna – Computer (Zufall)", "Yamm: Computer (Klub) – random – Computer (Klub 2) – Dana"),
        ("fr", "Yam Master : Anna – Ordinateur (Hasard)", "Yamm : Ordinateur (Club) – random – Ordinateur (Club 2) – Dana"),
    ],
)
def test_computers_are_called_by_their_level_in_the_language_of_the_title(language: str, duel: str, four: str) -> None:
    """A person may have the name of a level, and a computer that plays on that of a person."""
    against = seated(played("yam-master", "Anna", "random"), "human random")
    of_four = seated(played("yamm(players=4)", "club", "random", "club 2", "Dana"), "club human club club")
    messages = Messages(language)
    assert [flat(pictured.title_of(game, messages)) for game in (against, of_four)] == [duel, four]
    assert pictured.card_of_game(against, messages)["people"][1]["name"] == duel.rpartition(" – ")[2]
    assert duel.rpartition(" – ")[2] in pages(sheets.of_game(against, language))[0]


def seated(game: Record, seats: str) -> Record:
    """Return a game with the tag `Seats`."""
    return Record({**game.tags, "Seats": seats}, game.journal)
