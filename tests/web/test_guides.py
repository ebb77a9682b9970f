"""`GET /api/guides/{game}`: the guided first games."""

import pytest

from dicecup import games
from dicecup.table.guides import guide_of, script
from dicecup.web.learning_messages import GuideScript
from tests.web.serving import Browser


@pytest.mark.parametrize("game", games.names())
async def test_a_game_with_a_guide_serves_its_script(anna: Browser, game: str) -> None:
    guide = guide_of(games.rules(game))
    answer = await anna.http.get(f"/api/guides/{game}")
    if guide is None:
        assert answer.status_code == 404
        return
    assert answer.json() == script(guide)
    read = GuideScript.model_validate_json(answer.content)
    assert [step.text for step in read.steps] == [step["text"] for step in script(guide)["steps"]]
    again = await anna.http.get(f"/api/guides/{game}", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_an_unknown_game_has_no_guide(anna: Browser) -> None:
    answer = await anna.http.get("/api/guides/chess")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-such-page")
