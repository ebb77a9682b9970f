"""docs/environments.md says what the code does. Its examples are run as doctests."""

import re

from dicecup.envs.encoding import LAYOUT_VERSION
from dicecup.envs.openspiel import NAMES
from dicecup.envs.rewards import RewardKind
from tests.envs.tables import PAGE, TABLES, page

TEXT = PAGE.read_text("utf-8")


def test_every_table_is_that_of_the_code() -> None:
    assert set(re.findall(r"<!-- table ([a-z_ ]+) -->", TEXT)) == set(TABLES)
    assert page(TEXT) == TEXT


def test_another_layout_would_be_noticed() -> None:
    assert page(TEXT.replace("| `own_supply` | 12 |", "| `own_supply` | 13 |")) == TEXT
    assert "| `own_supply` | 12 |" in TEXT


def test_versions_rewards_and_games_are_named() -> None:
    assert f"Layout version: **{LAYOUT_VERSION}**" in TEXT
    assert all(f"`{kind}`" in TEXT for kind in RewardKind)
    assert all(f"`{name}`" in TEXT for name in NAMES)
