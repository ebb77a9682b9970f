"""Pictures of games for screens: the card of a link as PNG, and the replay of a game as GIF.

The extra `pictures` installs Pillow, which makes the files small. Without it a card has half the
width, and there are no replays.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from dicecup import games
from dicecup.locale import Messages
from dicecup.record import read
from dicecup.sheets import pictured
from dicecup.sheets.codes import SheetCode, SheetError
from dicecup.sheets.typesetting import drawn_pages

if TYPE_CHECKING:
    from PIL.Image import Image

CARD_SIZE: Final = (1200, 630)
"""Width and height of a card in pixels, with Pillow."""
SMALL_CARD_SIZE: Final = (600, 315)
"""The same without Pillow."""
MOST_CARD: Final = 60_000
"""Bytes of the largest card."""
MOST_REPLAY: Final = 1_000_000
"""Bytes of the largest replay."""
CARD_COLOURS: Final = 48
REPLAY_COLOURS: Final = 64
REPLAY_WIDTHS: Final = (560, 420)
"""Widths of a replay in pixels. The second one is for games whose replay would be too large."""
WIDE: Final = 420
"""Points across a frame."""
REPLAY_SECONDS: Final = 40
"""Seconds that a replay takes at most, without its last frame."""
LONGEST_FRAME: Final = 900
SHORTEST_FRAME: Final = 300
LAST_FRAME: Final = 4000
"""Milliseconds."""


@cache
def has_pillow() -> bool:
    """Return whether Pillow is installed, so that there are replays and large cards."""
    return find_spec("PIL") is not None


def card_size() -> tuple[int, int]:
    """Return the width and the height of cards in pixels."""
    return CARD_SIZE if has_pillow() else SMALL_CARD_SIZE


def game_card(text: str, language: str, **said: str) -> bytes:
    """Return the card of the game of a record's text as PNG, of at most `MOST_CARD` bytes.

    `said`: another `title`, `heading` or `note`. Raises `RecordError` and `SheetError` (`no-page`
    for another game).
    """
    return _card(pictured.card_of_game(read(text), Messages(language)) | said)


def position_card(game: str, position: str, language: str) -> bytes:
    """Return the card of a position, which asks what to do, as PNG. Raises `DicecupError`, also
    `SheetError` (`no-page` for another game)."""
    return _card(pictured.card_of_position(games.from_id(game).position(position), Messages(language)))


def text_card(language: str, *, title: str, heading: str, note: str, people: Sequence[Mapping[str, Any]] = ()) -> bytes:
    """Return a card without board or sheet as PNG. `people`: `side`, `name`, `points` and `won` of
    each line."""
    values = {"title": title, "heading": heading, "note": note, "people": list(people)}
    return _card({"language": language, "dice": [], "board": None, "sheets": [], "marked": []} | values)


def replay(text: str, language: str) -> bytes:
    """Return the game of a record's text as an animated GIF of at most `MOST_REPLAY` bytes.

    Raises `RecordError` and `SheetError` (`no-page` for another game, `no-replay` without Pillow).
    """
    if not has_pillow():
        raise SheetError(SheetCode.NO_REPLAY)
    frames = pictured.frames_of(read(text), Messages(language))
    made = b""
    for width in REPLAY_WIDTHS:
        made = _animated(drawn_pages("picture", {"language": language, "frames": frames}, 72 * width / WIDE))
        if len(made) <= MOST_REPLAY:
            break
    return made


def _card(values: pictured.Values) -> bytes:
    (page,) = drawn_pages("picture", values, 72 * card_size()[0] / 600)
    if not has_pillow():
        return page
    made = BytesIO()
    _opened(page).quantize(CARD_COLOURS, dither=_dither()).save(made, "PNG", optimize=True)
    return made.getvalue()


def _animated(pages: Sequence[bytes]) -> bytes:
    """Return pages as the frames of a GIF that repeats. All frames share the colours of the last
    two, which have everything."""
    from PIL import Image

    opened = [_opened(page) for page in pages]
    width, height = opened[-1].size
    both = Image.new("RGB", (2 * width, height))
    both.paste(opened[-1], (0, 0))
    both.paste(opened[-2], (width, 0))
    colours = both.quantize(REPLAY_COLOURS, dither=_dither())
    frames = [page.quantize(palette=colours, dither=_dither()) for page in opened]
    each = min(LONGEST_FRAME, max(SHORTEST_FRAME, 1000 * REPLAY_SECONDS // len(frames)))
    durations = [each] * (len(frames) - 1) + [LAST_FRAME]
    made = BytesIO()
    frames[0].save(made, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)
    return made.getvalue()


def _opened(page: bytes) -> "Image":
    from PIL import Image

    return Image.open(BytesIO(page), formats=["PNG"]).convert("RGB")


def _dither() -> Any:
    from PIL import Image

    return Image.Dither.NONE
