"""HTTP requests: tables, records, statistics, analyses, limits, headers and the log."""

import json

import pytest

from dicecup import record
from dicecup.hosting.errors import HostingCode
from dicecup.table.errors import TableCode
from dicecup.web.refusals import STATUS, WebCode
from tests.web.serving import AGAINST_COMPUTER, SEED_HASH, TWO, Browser, Json, Program, serving

REVIEWED = """[Game "yam-master"]
[X "Anna"]
[O "Ben"]
[Dice "seed:1"]
[Result "draw 0-0"]
[End "agreed"]

1. 13456 k- 22345 k22 12234 --
"""


async def test_a_table_is_made_looked_at_and_listed(anna: Browser, ben: Browser) -> None:
    made = await anna.make(TWO)
    assert made["join"] == f"{anna.url}/tables/{made['table']}#join={made['join_key']}"
    assert made["reach"] == "this-device"
    seen = (await anna.http.get(f"/api/tables/{made['table']}")).json()
    assert seen["number"] == seen["view"]["number"] == 2
    (listed,) = (await anna.http.get("/api/tables")).json()["tables"]
    assert (listed["table"], listed["state"], listed["outcome"]) == (made["table"], "open", None)
    assert listed["you"] == [0]
    assert (await ben.http.get("/api/tables")).json()["tables"] == []
    assert (await anna.http.get(f"/api/tables/{made['table']}/links")).json() == made
    for key in ({}, {"Dicecup-Key": "x"}):
        refused = await ben.http.get(f"/api/tables/{made['table']}", headers=key)
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "no-such-table")
    for key in (made["join_key"], made["watch_key"]):
        shown = await ben.http.get(f"/api/tables/{made['table']}", headers={"Dicecup-Key": key})
        assert shown.json()["view"]["you"] == []
        assert (await ben.http.get(f"/api/tables/{made['table']}/links", headers={"Dicecup-Key": key})).status_code == 404


async def test_commands_are_accepted_over_http(anna: Browser) -> None:
    made = await anna.make()
    command = {"type": "commit-seed", "hash": SEED_HASH}
    for _ in range(2):
        sent = await anna.http.post(f"/api/tables/{made['table']}/commands", json={"id": "1", "version": 3, "command": command})
        assert sent.json() == {"number": 4}


async def test_a_record_holds_no_secret_while_the_game_runs(anna: Browser) -> None:
    made = await anna.make()
    answer = await anna.http.get(f"/api/tables/{made['table']}/record")
    assert answer.headers["content-type"].startswith("text/plain")
    read = record.read(answer.text)
    assert read.tags["X"] == "Anna"
    assert "Secret" not in read.tags


@pytest.mark.slow
async def test_a_game_is_shown_as_it_was_after_a_turn(anna: Browser, ben: Browser) -> None:
    start = '[Game "yam-master"]\n[Dice "table"]\n\n1. 11134 a1\n2. 22235 a2\n'
    made = await anna.make(TWO | {"dice": "table", "start": start})
    path = f"/api/tables/{made['table']}/turns"
    now = (await anna.http.get(f"/api/tables/{made['table']}")).json()["view"]
    before, after = [(await anna.http.get(f"{path}/{turn}")).json() for turn in (1, 2)]
    assert after["board"] == now["board"]
    tokens = [square["square"] for square in before["board"]["squares"] if square["token"]]
    assert (tokens, before["turn"]["number"]) == (["a1"], 2)
    assert (await ben.http.get(f"{path}/1", headers={"Dicecup-Key": made["watch_key"]})).json() == before
    for asker, turn, code in ((anna, 3, "no-such-turn"), (ben, 1, "no-such-table")):
        refused = await asker.http.get(f"{path}/{turn}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, code)


async def test_dice_statistics_are_public(url: str) -> None:
    async with Browser(url) as anybody:
        found = (await anybody.http.get("/api/dice")).json()
    assert (found["games"], found["total"], [face["face"] for face in found["faces"]]) == (0, 0, [1, 2, 3, 4, 5, 6])


async def test_outcomes_of_games_are_counted(anna: Browser) -> None:
    made = await anna.make({"game": "yamm(players=1)", "seats": [{}], "dice": "table"}, "Anna")
    assert (await anna.http.get("/api/me")).json() == {"outcomes": []}
    assert (await anna.http.get(f"/api/tables/{made['table']}")).json()["view"]["demand"]["what"] == "dice"


async def test_a_start_is_checked_before_the_table_is_made(anna: Browser) -> None:
    async def check(game: str, start: str) -> tuple[int, str]:
        answer = await anna.http.post("/api/starts", json={"game": game, "start": start})
        told = answer.json()
        return answer.status_code, told["error"]["code"] if "error" in told else told["game"]

    position = "5/5/5/5/5 x 0:????? 12-12 1"
    assert await check("yam-master", position) == (200, "yam-master")
    assert await check("yamm", "hello 0:????? 88") == (422, "not-a-sheet")
    assert await check("chess", position) == (422, "not-a-game")
    running = '[Game "yamm(players=1)"]\n\n1. 66666 f1.6\n'
    assert await check("yamm", running) == (200, "yamm(players=1)")
    assert (await check("yamm", running.replace("f1.6", "f1.9")))[0] == 422
    assert await check("yam-master", REVIEWED) == (422, "not-a-start")


# --- Analyses -------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_odds_are_those_of_the_command(anna: Browser, capsys: pytest.CaptureFixture[str]) -> None:
    from dicecup.cli import main

    answer = await anna.http.post("/api/odds", json={"game": "yamm", "dice": "11346", "throws_left": 1})
    capsys.readouterr()  # the server's log
    main(["odds", "yamm", "--dice", "11346", "--throws-left", "1", "--json"])
    assert answer.json() == json.loads(capsys.readouterr().out)
    refused = await anna.http.post("/api/odds", json={"dice": "7"})
    assert refused.status_code == 422


@pytest.mark.slow
async def test_any_position_and_a_record_are_analysed(anna: Browser) -> None:
    found = await anna.http.post("/api/analysis", json={"game": "yam-master", "position": "5/5/5/5/5 x 1:11346 12-12 1"})
    assert found.status_code == 200, found.text
    assert {choice["action"] for choice in found.json()["choices"]} >= {"k11", "--"}
    reviewed = await anna.http.post("/api/review", json={"record": REVIEWED})
    assert reviewed.status_code == 200, reviewed.text
    assert [player["name"] for player in reviewed.json()["players"]] == ["Anna", "Ben"]
    refused = await anna.http.post(
        "/api/review", json={"record": REVIEWED.replace("draw 0-0", "*").replace('[End "agreed"]\n', "")}
    )
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "game-not-over")
    refused = await anna.http.post("/api/review", json={"record": REVIEWED.replace("12234", "12334")})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "kept-die-lost")
    assert refused.json()["error"]["details"]["faults"][0]["line"] == 8


@pytest.mark.slow
async def test_a_running_game_between_people_is_not_analysed(anna: Browser, ben: Browser) -> None:
    setup = TWO | {"dice": "table", "first": 0}
    made = await anna.make(setup)
    path = f"/api/tables/{made['table']}/commands"
    sit = {"id": "1", "version": 2, "command": {"type": "sit", "name": "Ben"}}
    number = (await ben.http.post(path, json=sit, headers={"Dicecup-Key": made["join_key"]})).json()["number"]
    throw = {"id": "2", "version": number, "command": {"type": "enter-dice", "dice": "11346"}}
    assert (await anna.http.post(path, json=throw)).status_code == 200
    asked = {"game": "yam-master", "position": (await anna.http.get(path.removesuffix("/commands"))).json()["view"]["position"]}
    for player in (anna, ben):
        refused = await player.http.post("/api/analysis", json=asked)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "game-running")
    refused = await anna.http.get(f"/api/tables/{made['table']}/review")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "game-not-over")
    text = (await anna.http.get(f"/api/tables/{made['table']}/record")).text
    ended = text.replace('[Result "*"]', '[Result "draw 0-0"]\n[End "agreed"]').rstrip() + " --\n"
    for player in (anna, ben):
        refused = await player.http.post("/api/review", json={"record": ended})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "game-running")


# --- What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "setup, code",
    [
        ({"game": "chess", "seats": []}, "not-a-game"),
        ({"game": "yam-master", "seats": [{}]}, "wrong-number-of-seats"),
        ({"game": "yam-master", "seats": [{}, {"kind": "level", "level": "god"}]}, "not-a-level"),
        ({"game": "yam-master", "seats": [{}, {}], "clock": {"kind": "turn", "seconds": 0}}, "not-a-clock"),
        ({"game": "yam-master", "seats": [{}, {}], "start": "5/5/5"}, "not-a-position"),
        ({"game": "yam-master", "seats": [{}, {}], "start": "[Game]"}, "no-final-newline"),
        ({"game": 1, "seats": []}, "not-a-message"),
    ],
)
async def test_an_impossible_setup_is_refused_with_its_code(anna: Browser, setup: Json, code: str) -> None:
    refused = await anna.http.post("/api/tables", json={"setup": setup})
    assert 400 <= refused.status_code < 500
    assert refused.json()["error"]["code"] == code


@pytest.mark.parametrize(
    "name, code",
    [
        ("", "not-a-name"),
        (" ", "not-a-name"),
        ("x" * 41, "not-a-name"),
        ("Anna ", "not-a-name"),
        ("a\nb", "hidden-in-name"),
        ("\u202eb", "hidden-in-name"),
    ],
)
async def test_a_name_is_1_to_40_plain_characters(anna: Browser, name: str, code: str) -> None:
    refused = await anna.http.post("/api/tables", json={"setup": TWO, "seats": [{"seat": 0, "name": name}]})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, code)


async def test_a_large_body_is_refused(anna: Browser) -> None:
    refused = await anna.http.post("/api/review", json={"record": "x" * 200_000})
    assert (refused.status_code, refused.json()["error"]["code"]) == (413, "too-large")


@pytest.mark.parametrize("body", ["", "x", "[" * 5000, "{}", "null", '{"secret": 1}', b'{"secret": "\xff"}'])
async def test_a_body_that_is_no_message_is_refused(anna: Browser, body: str | bytes) -> None:
    refused = await anna.http.post("/api/transfers/redeem", content=body, headers={"Content-Type": "application/json"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "not-a-message")


async def test_an_unknown_address_or_method_is_refused(anna: Browser) -> None:
    for method, path, status, code in (
        ("GET", "/nothing", 404, "no-such-page"),
        ("GET", "/static/../app.py", 404, "no-such-page"),
        ("GET", "/static/verify.html", 404, None),
        ("PUT", "/api/tables", 405, "no-such-method"),
        ("GET", "/api/tables/%00", 404, "no-such-table"),
        ("GET", f"/api/tables/{'0' * 20}", 404, "no-such-table"),
    ):
        answer = await anna.http.request(method, path)
        assert answer.status_code == status, path
        if code is not None:
            assert answer.json()["error"]["code"] == code


async def test_requests_of_an_address_are_limited(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecup.web.context.monotonic", lambda: 0.0)  # the limit does not recover
    async with serving(tmp_path, requests_per_second=1) as url, Browser(url) as browser:  # type: ignore[arg-type]
        answers = [(await browser.http.get("/api/tables")).status_code for _ in range(40)]
        assert answers.count(200) >= 10
        assert answers[-1] == 429
        assert (await browser.http.get("/")).status_code == 200


async def test_connections_of_an_address_are_limited(tmp_path: object) -> None:
    from tests.web.serving import handshake

    async with serving(tmp_path, sockets_per_address=2) as url, Browser(url) as browser:  # type: ignore[arg-type]
        made = await browser.make()
        async with browser.socket(made["table"]) as first, browser.socket(made["table"]) as second:
            await first.receive()
            await second.receive()
            status, error = await handshake(f"{url.replace('http', 'ws')}/ws/tables/{made['table']}")
            assert (status, error["code"]) == (429, "too-many-sockets")
        async with browser.socket(made["table"]) as third:
            assert (await third.receive())["type"] == "update"


def test_every_status_belongs_to_an_existing_code() -> None:
    from dicecup.hosting.store.store_errors import StoreCode
    from dicecup.tournament.errors import TournamentCode

    assert set(STATUS) <= {*WebCode, *TableCode, *TournamentCode, *HostingCode, *StoreCode}


# --- Around ---------------------------------------------------------------------------------------


async def test_pages_may_load_nothing_from_elsewhere(anna: Browser) -> None:
    for path in ("/", "/docs", "/rules", "/verify", "/transfer", "/tables/0", "/api/me", "/nothing"):
        answer = await anna.http.get(path)
        headers = answer.headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    assert (await anna.http.get("/api/me")).headers["cache-control"] == "no-store"


@pytest.mark.slow
async def test_the_log_is_json_and_holds_no_secret(tmp_path: object) -> None:
    async with Program(tmp_path) as program, Browser(program.url) as browser:  # type: ignore[arg-type]
        made = await browser.make(AGAINST_COMPUTER)
        token = (await browser.http.post("/api/tokens")).json()["token"]
        secret = (await browser.http.post("/api/transfers")).json()["secret"]
        await browser.http.get(f"/api/tables/{made['table']}", headers={"Dicecup-Key": made["join_key"]})
        await browser.http.get("/nothing?key=" + made["join_key"])
        async with browser.socket(made["table"], {"key": made["join_key"]}) as socket:
            await socket.receive()
        metrics = (await browser.http.get("/metrics")).text
        cookie = browser.cookie.partition("=")[2]
        host_key = (tmp_path / "host.key").read_text("ascii").strip()  # type: ignore[operator]
    lines = [json.loads(line) for line in program.log.splitlines()]
    assert {line["path"] for line in lines if line["event"] == "request"} >= {"/api/tables", f"/api/tables/{made['table']}"}
    for hidden in (token, secret, made["join_key"], made["watch_key"], cookie, cookie.partition(".")[0], host_key):
        assert hidden not in program.log
        assert hidden not in metrics


async def test_health_and_metrics_are_served(anna: Browser) -> None:
    assert (await anna.http.get("/health")).json() == {"status": "ok"}
    made = await anna.make()
    async with anna.socket(made["table"]) as socket:
        await socket.do({"type": "commit-seed", "hash": SEED_HASH}, 3)
        await socket.do({"type": "throw"}, 3)
        text = (await anna.http.get("/metrics")).text
    assert "dicecup_sockets 1.0" in text
    assert "dicecup_subscribers 1.0" in text
    assert 'dicecup_commands_total{answer="done"} 1.0' in text
    assert 'dicecup_commands_total{answer="stale-version"} 1.0' in text
    assert 'dicecup_requests_total{route="/api/tables",status="201"} 1.0' in text
