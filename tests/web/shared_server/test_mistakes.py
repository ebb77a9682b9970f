"""Own mistakes over HTTP: cards from games, answers, and what a program asks."""

import asyncio

import pytest

from dicecup.client import Client
from dicecup.hosting.quotas import DAY
from tests.analysis.mistakes.records import played
from tests.web.serving import Browser, Json

CREATED = 1_790_000_000.0
TODAY = int(CREATED // DAY)
TAGS = '[X "Anna"]\n[O "casual"]\n[Dice "table"]\n[Seats "human casual"]\n[Result "o 0-0"]\n[End "resign"]\n'


async def with_cards(browser: Browser) -> Json:
    """Join a game from a device, and return the cards of it."""
    await browser.http.get("/api/me")
    text = played("yam-master", "random").to_text().replace('[Dice "seed:mistakes"]\n', TAGS)
    joined = await browser.http.post("/api/device-games", json={"table": "c" * 20, "record": text, "created": CREATED})
    assert joined.json() == {"new": True}, joined.text
    while True:
        found: Json = (await browser.http.get("/api/mistakes")).json()
        if not found["waiting"]:
            return found
        await asyncio.sleep(0.05)  # as the page asks


async def test_own_mistakes_are_asked_and_answered_once(anna: Browser, ben: Browser) -> None:
    nobody = (await anna.http.get("/api/mistakes")).json()
    assert (nobody["cards"], nobody["waiting"]) == ([], 0)
    assert all((theme["cards"], theme["periods"]) == (0, []) for theme in nobody["themes"])
    assert [theme["theme"] for theme in nobody["themes"] if not theme["made"]] == ["correction"]
    refused = await anna.http.post("/api/mistakes/answers", json={"answers": []})
    assert refused.json()["error"]["code"] == "no-identity"
    found = await with_cards(anna)
    assert len(found["cards"]) == found["due"] == found["total"] > 2
    assert {card["opponent"] for card in found["cards"]} == {"casual"}
    assert "opponents" not in found
    first, second, *_ = found["cards"]
    assert first["question"]["shown"]["actions"]
    assert first["losses"][first["played"]] == first["loss"]
    assert first["right"][0] == next(iter(first["losses"]))
    assert first["played"] in first["question"]["choices"]
    assert first["played"] not in first["right"]
    given = [
        {"card": first["id"], "day": TODAY, "played": first["right"][0], "seconds": 20.5},
        {"card": second["id"], "day": TODAY, "played": second["played"], "seconds": 40},
        {"card": second["id"], "day": TODAY, "played": "??", "seconds": 40},
        {"card": "another", "day": TODAY, "played": "k-", "seconds": 40},
    ]
    sent = {"answers": given}
    due = (await anna.http.post("/api/mistakes/answers", json=sent)).json()["due"]
    assert due[second["id"]] == TODAY + 1
    assert due[first["id"]] > TODAY + 1
    assert (await anna.http.post("/api/mistakes/answers", json=sent)).json() == {"due": due}
    later = (await anna.http.get("/api/mistakes", params={"day": TODAY})).json()
    assert later["answered"] == 2
    assert {first["id"], second["id"]}.isdisjoint(card["id"] for card in later["cards"])
    theme = {"game": "yam-master", "theme": second["theme"]}
    drilled = (await anna.http.get("/api/mistakes", params=theme)).json()["cards"]
    assert second["id"] in [card["id"] for card in drilled]
    assert {card["opponent"] for card in drilled} == {"casual"}
    assert (await ben.http.get("/api/mistakes")).json()["total"] == 0
    # what anna practised goes with her to the identity of another device
    secret = (await ben.http.post("/api/transfers")).json()["secret"]
    assert (await anna.http.post("/api/transfers/redeem", json={"secret": secret})).status_code == 204
    taken = (await ben.http.get("/api/mistakes", params={"day": TODAY})).json()
    assert (taken["total"], taken["answered"]) == (found["total"], 2)


async def test_the_computer_makes_questions_about_a_theme(anna: Browser) -> None:
    asked = {"game": "yam-master", "theme": "two_pairs", "seed": "s", "number": 1}
    question = (await anna.http.post("/api/questions", json=asked)).json()
    dice = question["shown"]["turn"]["dice"]
    assert sorted(dice.count(face) for face in set(dice)) == [1, 2, 2]
    assert len(question["choices"]) > 1
    refused = await anna.http.post("/api/questions", json=asked | {"theme": "bonus"})
    assert refused.json()["error"]["code"] == "no-such-theme"


@pytest.mark.slow
async def test_a_verdict_may_be_lenient(anna: Browser) -> None:
    await with_cards(anna)
    card = (await anna.http.get("/api/mistakes")).json()["cards"][0]
    shown = card["question"]["shown"]
    asked = {"game": shown["game"], "position": shown["position"], "difficulty": 1, "lenient": True}
    for action in (card["right"][-1], card["played"]):
        verdict = (await anna.http.post("/api/questions/answer", json=asked | {"played": action})).json()
        assert verdict["right"] == (action in card["right"])
        assert verdict["loss"] == card["losses"][action]


async def test_a_program_practises(anna: Browser) -> None:
    await with_cards(anna)
    token = (await anna.http.post("/api/tokens")).json()["token"]
    async with Client(anna.url, token=token) as client:
        found = await client.mistakes.portion(TODAY)
        card = found["cards"][0]
        assert (await client.mistakes.answer(card["id"], TODAY, card["played"])) == TODAY + 1
        assert (await client.mistakes.answer("another", TODAY, "k-")) is None
        name = next(theme["game"] for theme in found["themes"] if theme["theme"] == card["theme"])
        assert (await client.mistakes.drill(name, card["theme"]))["cards"]
        assert (await client.mistakes.puzzles("fr")).startswith(b"%PDF")
        await client.mistakes.remove(card["id"])
        left = await client.mistakes.portion(TODAY)
        assert left["total"] == found["total"] - 1
        assert card["id"] not in [each["id"] for each in left["cards"]]
