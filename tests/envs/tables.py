"""Write the tables of docs/environments.md from the code: `python -m tests.envs.tables`."""

import re
from itertools import pairwise
from pathlib import Path

from dicecup.envs.encoding import KEEP_COUNT, Encoding
from dicecup.envs.options import yam_master_encoding, yamm_encoding
from dicecup.envs.yam_master import FIRST_MOVE

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"
BOARD = yam_master_encoding()
ALONE = yamm_encoding(players=1)
DUEL = yamm_encoding()


def layout(encoding: Encoding) -> str:
    """Return the table of an observation."""
    lines = ["| bytes | field | highest | meaning |", "|---|---|---|---|"]
    for field, first in zip(encoding.layout.fields, encoding.layout.offsets, strict=True):
        last = first + field.size - 1
        lines.append(f"| {first}{f'–{last}' if last > first else ''} | `{field.name}` | {field.high} | {field.meaning} |")
    return "\n".join([*lines, f"\n{encoding.layout.size} bytes."])


def actions(encoding: Encoding, starts: list[int], meanings: list[str]) -> str:
    """Return the table of an action index, whose groups begin at these indexes."""
    lines = ["| index | text | action |", "|---|---|---|"]
    for (first, after), meaning in zip(pairwise([*starts, encoding.actions]), meanings, strict=True):
        many = after - first > 1
        texts = f"`{encoding.texts[first]}`" + (f" … `{encoding.texts[after - 1]}`" if many else "")
        lines.append(f"| {first}{f'–{after - 1}' if many else ''} | {texts} | {meaning} |")
    return "\n".join(lines)


KEEPS = "keep these dice and throw the others: all multisets of at most four dice, fewest dice first, then ascending"
TABLES = {
    "yam_master actions": actions(
        BOARD,
        [0, KEEP_COUNT, FIRST_MOVE, FIRST_MOVE + 25, FIRST_MOVE + 50],
        [
            KEEPS,
            "the same with a Défi",
            "place a token: a1 b1 … e5",
            "remove the opposing token (Predator)",
            "end the turn without a token",
        ],
    ),
    "yamm actions": actions(
        DUEL,
        [0, KEEP_COUNT, KEEP_COUNT + 99, KEEP_COUNT + 198],
        [
            KEEPS,
            "write the result into this cell: d1.1 d1.2 … f3.Y",
            "correction: move the result that is about to become final to this cell (several sheets only)",
            "let that result stand (several sheets only)",
        ],
    ),
    "yam_master layout": layout(BOARD),
    "yamm layout": layout(ALONE),
    "yamm duel layout": layout(DUEL),
}


def page(text: str) -> str:
    """Return the page with the tables of the code."""

    def table(found: re.Match[str]) -> str:
        return f"<!-- table {found[1]} -->\n{TABLES[found[1]]}\n<!-- end -->"

    return re.sub(r"<!-- table ([a-z_ ]+) -->\n.*?<!-- end -->", table, text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
