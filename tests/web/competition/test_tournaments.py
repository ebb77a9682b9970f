"""Tournaments over the network: HTTP, the WebSocket, printed pages, and the client."""

import asyncio
import json
import runpy
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from typing import TypeVar

import pytest
from pydantic import BaseModel
from pypdf import PdfReader

from dicecup.client import Client, ClientError, RemoteTournament, ServerRefusal
from dicecup.locale import LANGUAGES, Messages
from dicecup.tournament.commands import AddEntrant, Correct, Enter, EnterResult, NameOrganiser, StartRound, Withdraw
from dicecup.tournament.events import Result
from dicecup.tournament.setup import DiceKind, Format
from dicecup.web.competition.tournament_messages import (
    Crosstable,
    RoundOfTournament,
    SeenTournament,
    TournamentChanged,
    TournamentList,
    TournamentLog,
)
from tests.tournament.playing import setup
from tests.web.serving import Browser, handshake

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "tournaments.py"
Model = TypeVar("Model", bound=BaseModel)
RESULTS = setup(Format.SWISS, rounds=3, dice=DiceKind.RESULTS, listed=True)


@pytest.fixture
async def organiser(url: str) -> AsyncIterator[Client]:
    async with Client(url) as client:
        yield client


@pytest.fixture
async def tournament(organiser: Client) -> RemoteTournament:
    made = await organiser.create_tournament(RESULTS)
    for name in ("Anna", "Ben", "Cleo", "Dan"):
        await made.do(AddEntrant(name))
    return made


def read(kind: type[Model], message: object) -> Model:
    """Return a message as its model describes it."""
    return kind.model_validate_json(json.dumps(message))


async def play_round(tournament: RemoteTournament) -> None:
    await tournament.do(StartRound())
    for pairing in (await tournament.look())["view"]["pairings"]:
        if pairing["result"] is None:
            await tournament.do(EnterResult(pairing["pairing"], 1, Result.WON))


async def test_a_tournament_with_entered_results_is_played_to_its_end(organiser: Client, tournament: RemoteTournament) -> None:
    for _ in range(3):
        await play_round(tournament)
    seen = await tournament.look()
    read(SeenTournament, seen)
    assert (seen["view"]["stage"], seen["view"]["how"]) == ("over", "rounds")
    assert seen["you"]["organiser"]
    assert [line["points"] for line in seen["view"]["standings"]] == sorted(
        (line["points"] for line in seen["view"]["standings"]), reverse=True
    )
    assert "correct" in seen["you"]["may"]
    read(RoundOfTournament, await tournament.round(2))
    read(Crosstable, await tournament.crosstable())
    read(TournamentLog, {"events": await tournament.log(since=3)})
    read(TournamentList, found := await organiser.tournaments())
    assert [each["tournament"] for each in found["own"]] == [tournament.tournament]
    assert found["listed"] == []


async def test_lists_name_the_length_of_an_arena(organiser: Client, tournament: RemoteTournament) -> None:
    arena = await organiser.create_tournament(setup(Format.ARENA, seconds=2700))
    read(TournamentList, found := await organiser.tournaments())
    lengths = {each["tournament"]: each["seconds"] for each in found["own"]}
    assert lengths == {arena.tournament: 2700, tournament.tournament: 0}


async def test_no_identity_leaves_the_server(tournament: RemoteTournament, url: str) -> None:
    async with Client(url) as anna:
        await anna.tournament(tournament.tournament).do(Enter("Eva"), version=1)
        texts = str(await tournament.log()) + str(await tournament.look())
    assert "identity" not in texts


@pytest.mark.slow
async def test_pages_are_printed_in_three_languages(tournament: RemoteTournament) -> None:
    await play_round(tournament)
    shown = {"de": "Runde 1", "en": "Round 1", "fr": "Ronde 1"}
    for language, title in shown.items():
        text = PdfReader(BytesIO(await tournament.pdf("pairings", language))).pages[0].extract_text()
        assert title in text
        assert all(name in text for name in ("Anna", "Ben", "Cleo", "Dan"))
        for page in ("standings", "crosstable"):
            assert "Club evening" in PdfReader(BytesIO(await tournament.pdf(page, language))).pages[0].extract_text()
    with pytest.raises(ServerRefusal, match="no-such-round"):
        await tournament.pdf("pairings", number=2)


@pytest.mark.slow
async def test_the_standings_are_in_a_frame_without_scripts_and_cookies(tournament: RemoteTournament, url: str) -> None:
    await tournament.do(AddEntrant("<b>"))
    await play_round(tournament)
    async with Browser(url) as visitor:
        for language in LANGUAGES:
            place = f"/api/tournaments/{tournament.tournament}/share"
            found = (await visitor.http.get(place, params={"lang": language})).json()
            page = await visitor.http.get(found["embed"])
            assert page.headers["content-security-policy"].endswith("frame-ancestors *")
            assert len(page.content) <= 30_000
            assert "script" not in page.text
            assert "set-cookie" not in page.headers
            messages = Messages(language)
            assert all(messages(f"print_{key}") in page.text for key in ("standings", "rank", "points"))
            assert all(f"<bdi>{name}</bdi>" in page.text for name in ("Anna", "Dan", "&lt;b&gt;"))
            assert found["link"] in page.text
        assert not visitor.http.cookies
        assert (await visitor.http.get(f"/embed/tournaments/{'0' * 20}")).status_code == 404


async def test_followers_hear_of_changes_until_the_end(tournament: RemoteTournament, url: str) -> None:
    async with Client(url) as watcher:
        followed = watcher.tournament(tournament.tournament)
        seen = []
        started = asyncio.Event()

        async def follow() -> None:
            async for change in followed.changes():
                seen.append(read(TournamentChanged, change))
                started.set()

        following = asyncio.create_task(follow())
        await started.wait()
        for _ in range(3):
            await play_round(tournament)
        await following
    assert (seen[0].stage, seen[-1].stage, seen[-1].round) == ("open", "over", 3)
    assert seen[0].you.may == ["enter"]


async def test_a_person_enters_once_and_withdraws(tournament: RemoteTournament, url: str) -> None:
    async with Client(url) as eva:
        entered = eva.tournament(tournament.tournament)
        await entered.look()
        await entered.do(Enter("Eva"))
        with pytest.raises(ServerRefusal, match="entered-twice"):
            await entered.do(Enter("Eva again"))
        with pytest.raises(ServerRefusal, match="not-the-organiser"):
            await entered.do(StartRound())
        assert (await entered.look())["you"]["entrant"] == 5
        await entered.do(Withdraw())
        assert "return" in (await entered.look())["you"]["may"]
        with pytest.raises(ServerRefusal, match="no-such-person"):
            await tournament.do(NameOrganiser("nobody"))


async def test_results_that_contradict_are_refused_and_corrected(tournament: RemoteTournament) -> None:
    await play_round(tournament)
    with pytest.raises(ServerRefusal, match="result-known"):
        await tournament.do(EnterResult(1, 1, Result.WON))
    with pytest.raises(ServerRefusal, match="results-contradict") as refused:
        await tournament.do(EnterResult(1, 1, Result.LOST))
    assert refused.value.details["known"] == "won"
    await tournament.do(Correct(1, Result.LOST, "wrong name on the slip"))
    (event,) = await tournament.log(since=tournament.number - 1)
    assert event["event"] == {
        "type": "corrected",
        "pairing": 1,
        "before": "won",
        "result": "lost",
        "remark": "wrong name on the slip",
    }


async def test_a_command_without_identity_and_bad_messages_are_refused(tournament: RemoteTournament, url: str) -> None:
    path = f"/api/tournaments/{tournament.tournament}/commands"
    async with Browser(url) as stranger:
        sent = {"id": "1", "version": 1, "command": {"type": "start-round"}}
        assert (await stranger.http.post(path, json=sent)).json()["error"]["code"] == "no-identity"
        for body in ({"id": "1"}, sent | {"command": {"type": "fly"}}, sent | {"command": {"type": "enter", "name": 3}}):
            assert (await stranger.http.post(path, json=body)).json()["error"]["code"] == "not-a-message"
        made = await stranger.http.post("/api/tournaments", json={"setup": {"name": "", "format": "swiss", "game": "yamm"}})
        assert made.status_code in (400, 422)
        assert (await stranger.http.get("/api/tournaments/xyz")).json()["error"]["code"] == "no-such-tournament"
        for page in ("", "/crosstable", "/log", "/rounds/1", "/standings.pdf"):
            assert (await stranger.http.get(f"/api/tournaments/{'0' * 20}{page}")).status_code == 404


async def test_following_an_unknown_tournament_ends_for_good(url: str) -> None:
    async with Client(url) as client:
        with pytest.raises((ClientError, ServerRefusal)):
            await anext(client.tournament("0" * 20).changes())
    assert (await handshake(f"{url.replace('http', 'ws')}/ws/tournaments/short"))[0] == 404


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(Format))
async def test_programs_play_a_tournament_of_each_format(url: str, kind: Format) -> None:
    example = runpy.run_path(str(EXAMPLE))
    standings = await example["main"](url, kind.value, turns=2)
    assert len(standings) == 4
    least = {Format.SWISS: 4, Format.ROUND_ROBIN: 6, Format.LEAGUE: 6, Format.KNOCK_OUT: 3, Format.ARENA: 4}
    assert sum(line["points"] for line in standings) >= least[kind]
