"""`GET /api/games`: every registered game as its rules declare it."""

from pathlib import Path

import httpx
import pytest

from dicecup import games
from dicecup.engine.compiled import Step
from dicecup.hosting.table_host import TableHost
from dicecup.table.guides import guide_of
from dicecup.web.app import App
from dicecup.web.base_url import base_url
from dicecup.web.config import Config
from dicecup.web.context import AppContext
from tests.hosting.guests import settings
from tests.web.serving import Browser


async def test_the_list_holds_every_game_with_its_options(anna: Browser) -> None:
    listed = (await anna.http.get("/api/games")).json()["games"]
    assert [game["id"] for game in listed] == list(games.names())
    for game in listed:
        rules = games.rules(game["id"])
        assert game["levels"] == list(rules.levels)
        assert game["preparing"] == []
        assert game["analysed"] == (game["id"] in ("yam-master", "yamm"))
        assert (game["first_player"], game["scoring"]) == (rules.first_player, rules.scoring)
        assert game["guide"] == (guide_of(rules) is not None)
        assert [{name: told for name, told in option.items() if name != "players"} for option in game["options"]] == [
            {
                "name": option.name,
                "values": list(option.values),
                "default": option.default,
                "text_key": f"option_{option.name}",
            }
            for option in rules.option_list
        ]


async def test_the_limits_of_players_follow_from_the_options(anna: Browser) -> None:
    listed = {game["id"]: game["players"] for game in (await anna.http.get("/api/games")).json()["games"]}
    assert listed["yam-master"] == {"least": 2, "most": 2}
    assert listed["yamm"] == {"least": 1, "most": 16}


async def test_an_option_names_the_numbers_of_players_of_its_values(anna: Browser) -> None:
    for game in (await anna.http.get("/api/games")).json()["games"]:
        named = {option["name"]: option["players"] for option in game["options"]}
        assert all(list(by_value) == option["values"] for option in game["options"] for by_value in [named[option["name"]]])
        if game["id"] == "yamm":
            assert named["pairs"]["yes"] == [4, 6, 8, 10, 12, 14, 16]
            assert named["pairs"]["no"] == named["kept_dice"]["locked"] == list(range(1, 17))
            assert named["players"]["3"] == [3]
        if game["id"] == "yam-master":
            assert set(map(tuple, named["failed_defi"].values())) == {(2,)}


async def test_a_client_that_has_the_list_gets_no_body(anna: Browser) -> None:
    first = await anna.http.get("/api/games")
    assert first.headers["cache-control"] == "no-cache"
    tag = first.headers["etag"]
    for known in (tag, f'"other", W/{tag}'):
        again = await anna.http.get("/api/games", headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    changed = await anna.http.get("/api/games", headers={"If-None-Match": '"other"'})
    assert (changed.status_code, changed.content) == (200, first.content)


async def test_the_list_says_which_levels_get_ready(tmp_path: Path) -> None:
    host = await TableHost.open(settings(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
    step = Step("one", int)
    host.kernels.expect((step,), {"yamm": {"expert": (step,), "novice": (step,)}})
    context = AppContext.of(host, config := Config(host="127.0.0.1", port=0), base_url(config, 1))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(App(context)), base_url="http://127.0.0.1:1") as client:
        first = await client.get("/api/games")
        named = {game["id"]: game["preparing"] for game in first.json()["games"]}
        assert named.pop("yamm") == ["novice", "expert"]
        assert not any(named.values())
        host.kernels.taken(step)
        later = await client.get("/api/games", headers={"If-None-Match": first.headers["etag"]})
    assert not any(game["preparing"] for game in later.json()["games"])
    await host.close()


async def test_every_listed_default_is_a_value(anna: Browser) -> None:
    for game in (await anna.http.get("/api/games")).json()["games"]:
        for option in game["options"]:
            assert option["default"] in option["values"]


@pytest.mark.parametrize("game", games.names())
def test_the_listed_id_is_the_id_of_the_default_game(game: str) -> None:
    assert games.from_id(game).id == game
