"""Talk over the network: two people, a watcher, a client that comes back."""

from tests.web.serving import SEED_HASH, TWO, Browser

HELLO = {"type": "say", "phrase": "hello"}


async def test_talk_reaches_everybody_and_makes_no_command_stale(anna: Browser, ben: Browser) -> None:
    made = await anna.make(TWO)
    table, watch = made["table"], {"key": made["watch_key"]}
    async with anna.socket(table) as hers, ben.socket(table, {"key": made["join_key"]}) as his:
        await his.receive("update")
        assert (await his.do({"type": "sit", "name": "Ben"}))["type"] == "done"
        seen = (await hers.up_to(3))["number"]
        assert (await his.do(HELLO, 1))["type"] == "done"  # for any version
        assert (await hers.do({"type": "commit-seed", "hash": SEED_HASH}, seen))["type"] == "done"
        heard = [event for event in hers.events if event["type"] == "said"]
        assert [(event["number"], event["seat"], event["phrase"]) for event in heard] == [(seen + 1, 1, "hello")]
    async with anna.socket(table, watch) as again, ben.socket(table, watch) as watching:
        for socket in (again, watching):
            (line,) = (await socket.receive("update"))["view"]["talk"]
            assert (line["number"], line["name"], line["phrase"]) == (seen + 1, "Ben", "hello")
            assert "identity" not in line


async def test_too_much_talk_is_refused_with_the_time_to_wait(anna: Browser, ben: Browser) -> None:
    made = await anna.make(TWO)
    commands = f"/api/tables/{made['table']}/commands"
    sit = {"id": "0", "version": 2, "command": {"type": "sit", "name": "Ben"}}
    assert (await ben.http.post(commands, json=sit, headers={"Dicecup-Key": made["join_key"]})).status_code == 200
    codes = [await anna.http.post(commands, json={"id": f"{number}", "version": 3, "command": HELLO}) for number in range(5)]
    assert [answer.status_code for answer in codes] == [200, 200, 200, 200, 429]
    assert codes[4].json()["error"]["code"] == "too-fast"
    assert 0 < codes[4].json()["error"]["details"]["seconds"] <= 20
    assert codes[4].headers["Retry-After"]
