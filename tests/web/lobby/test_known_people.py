"""People whom a person has played: invitations reach their page, blocks keep them apart."""

from contextlib import AsyncExitStack

from tests.web.lobby.test_lobby_socket import lobby
from tests.web.serving import SEED_HASH, TWO, Browser, Json


async def have_played(url: str, stack: AsyncExitStack) -> list[Browser]:
    """Return two people who have played a game to its end."""
    anna, ben = [await stack.enter_async_context(Browser(url)) for _ in range(2)]
    made = await anna.make(TWO)
    await ben.http.get("/api/me")
    async with ben.socket(made["table"], {"key": made["join_key"]}) as bens, anna.socket(made["table"]) as annas:
        await bens.receive("update")
        await bens.do({"type": "sit", "name": "Ben"})
        commit, reveal = {"type": "commit-seed", "hash": SEED_HASH}, {"type": "reveal-seed", "seed": bytes(16).hex()}
        number = 3
        for socket, command in ((annas, commit), (bens, commit), (annas, reveal), (bens, reveal), (annas, {"type": "resign"})):
            await socket.up_to(number)
            done = await socket.do(command)
            assert done["type"] == "done", done
            number = done["number"]
    return [anna, ben]


async def people(browser: Browser) -> Json:
    found: Json = (await browser.http.get("/api/lobby/people")).json()
    return found


async def test_an_invitation_reaches_the_page_of_a_person_and_can_be_declined(url: str) -> None:
    async with AsyncExitStack() as stack:
        anna, ben = await have_played(url, stack)
        (known,) = (await people(anna))["people"]
        assert (known["name"], known["online"], known["game"]) == ("Ben", None, "yam-master")
        made = await anna.make(TWO)
        async with lobby(ben) as socket:
            body = {"table": made["table"], "person": known["id"]}
            assert (await anna.http.post("/api/lobby/invitations", json=body)).status_code == 204
            (invitation,) = (await socket.receive("invitations"))["invitations"]
            assert (invitation["table"], invitation["key"], invitation["name"]) == (made["table"], made["join_key"], "Anna")
            assert (await ben.http.delete(f"/api/lobby/invitations/{made['table']}")).status_code == 204
            assert (await socket.receive("invitations"))["invitations"] == []
            now = [(await each.http.get("/api/lobby")).json()["declined"] for each in (anna, ben)]
            assert now == [[made["table"]], []]
            assert (await ben.http.delete(f"/api/lobby/invitations/{made['table']}")).status_code == 204  # once more
            assert (await anna.http.post("/api/lobby/invitations", json=body)).status_code == 204
            assert len((await socket.receive("invitations"))["invitations"]) == 1
            assert (await anna.http.get("/api/lobby")).json()["declined"] == []


async def test_an_invitation_ends_when_the_person_or_others_have_taken_the_seats(url: str) -> None:
    async with AsyncExitStack() as stack:
        anna, ben = await have_played(url, stack)
        carla = await stack.enter_async_context(Browser(url))
        (known,) = (await people(anna))["people"]
        made = await anna.make({"game": "yamm(players=4)", "seats": [{}, {}, {}, {}]})
        async with lobby(ben) as socket:
            body = {"table": made["table"], "person": known["id"]}
            assert (await anna.http.post("/api/lobby/invitations", json=body)).status_code == 204
            assert len((await socket.receive("invitations"))["invitations"]) == 1
            await carla.http.get("/api/me")
            async with carla.socket(made["table"], {"key": made["join_key"]}) as carlas:
                await carlas.receive("update")
                await carlas.do({"type": "sit", "name": "Carla"})
                assert len((await ben.http.get("/api/lobby")).json()["invitations"]) == 1
                async with ben.socket(made["table"], {"key": made["join_key"]}) as bens:
                    await bens.receive("update")
                    await bens.do({"type": "sit", "name": "Ben"})
                    assert (await ben.http.get("/api/lobby")).json()["invitations"] == []
        made = await anna.make(TWO)
        async with lobby(ben) as socket:
            body = {"table": made["table"], "person": known["id"]}
            assert (await anna.http.post("/api/lobby/invitations", json=body)).status_code == 204
            assert len((await socket.receive("invitations"))["invitations"]) == 1
            async with carla.socket(made["table"], {"key": made["join_key"]}) as carlas:
                await carlas.receive("update")
                await carlas.do({"type": "sit", "name": "Carla"})
                assert (await socket.receive("invitations"))["invitations"] == []


async def test_an_invitation_reaches_a_page_at_a_table_and_one_without_a_connection(url: str) -> None:
    async with AsyncExitStack() as stack:
        anna, ben = await have_played(url, stack)
        (known,) = (await people(anna))["people"]
        played, made = (await anna.http.get("/api/tables")).json()["tables"][0]["table"], await anna.make(TWO)
        async with ben.socket(played) as at_table, anna.socket(played) as others:
            for socket in (at_table, others):
                await socket.receive("update")
            body = {"table": made["table"], "person": known["id"]}
            assert (await anna.http.post("/api/lobby/invitations", json=body)).status_code == 204
            await at_table.receive("invited")
            now: Json = (await ben.http.get("/api/lobby")).json()
            assert [each["table"] for each in now["invitations"]] == [made["table"]]
            assert (await anna.http.get("/api/lobby")).json()["invitations"] == []
            # nobody else at the table gets one: the next message there is the answer to a ping
            await others.send({"type": "ping"})
            await others.receive("pong")


async def test_the_number_of_people_is_told_to_those_who_do_not_look_at_the_lobby(url: str) -> None:
    async with Browser(url) as stranger, Browser(url) as anna:
        assert (await stranger.http.get("/api/lobby")).json() == {"people": 0, "invitations": [], "declined": []}
        assert not stranger.http.cookies  # looking needs no identity
        await anna.http.get("/api/me")
        async with lobby(anna) as socket:
            await socket.receive("lobby")
            assert (await stranger.http.get("/api/lobby")).json()["people"] == 1


async def test_a_block_hides_both_and_refuses_invitations_until_it_ends(url: str) -> None:
    async with AsyncExitStack() as stack:
        anna, ben = await have_played(url, stack)
        of_anna, of_ben = (await people(anna))["people"][0]["id"], (await people(ben))["people"][0]["id"]
        made = await anna.make(TWO)
        assert (await ben.http.post("/api/lobby/blocks", json={"person": of_ben})).status_code == 204
        assert (await people(anna))["people"] == (await people(ben))["people"] == []
        refused = await anna.http.post("/api/lobby/invitations", json={"table": made["table"], "person": of_anna})
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "no-such-person")
        (blocked,) = (await people(ben))["blocked"]
        own = await ben.make(TWO)
        refused = await ben.http.post("/api/lobby/invitations", json={"table": own["table"], "person": blocked["id"]})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "invitation-refused")
        assert (await ben.http.delete(f"/api/lobby/blocks/{blocked['id']}")).status_code == 204
        assert [each["name"] for each in (await people(anna))["people"]] == ["Ben"]


async def test_who_sits_at_a_table_with_somebody_can_block_them_there(url: str) -> None:
    async with AsyncExitStack() as stack:
        anna, ben = await have_played(url, stack)
        table = (await ben.http.get("/api/tables")).json()["tables"][0]["table"]
        own = (await ben.make(TWO))["table"]
        for asked, code in (
            ({"table": table, "seat": 1}, "not-yourself"),
            ({"table": table, "seat": 2}, "no-such-seat"),
            ({"table": table}, "no-such-seat"),
            ({"table": own, "seat": 1}, "nobody-sits-there"),
            ({}, "no-such-person"),
            ({"table": table, "seat": 0, "person": "0" * 22}, "not-a-message"),
        ):
            refused = await ben.http.post("/api/lobby/blocks", json=asked)
            assert refused.json()["error"]["code"] == code, asked
        stranger = await stack.enter_async_context(Browser(url))
        await stranger.http.get("/api/me")
        refused = await stranger.http.post("/api/lobby/blocks", json={"table": table, "seat": 0})
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "no-such-table")
        assert (await people(ben))["blocked"] == []
        assert (await ben.http.post("/api/lobby/blocks", json={"table": table, "seat": 0})).status_code == 204
        assert [each["name"] for each in (await people(ben))["blocked"]] == ["Anna"]
        assert (await people(anna))["people"] == []


async def test_people_see_each_other_in_the_lobby_if_both_show_it(url: str) -> None:
    async with AsyncExitStack() as stack:
        anna, ben = await have_played(url, stack)
        await ben.http.put("/api/lobby/online", json={"shows": True})
        await stack.enter_async_context(lobby(ben))
        assert (await people(anna))["people"][0]["online"] is None
        await anna.http.put("/api/lobby/online", json={"shows": True})
        while not (await people(anna))["people"][0]["online"]:
            pass
        assert (await people(ben))["people"][0]["online"] is False
        await ben.http.put("/api/lobby/online", json={"shows": False})
        assert (await people(anna))["people"][0]["online"] is None


async def test_only_people_who_played_are_invited_and_only_to_own_tables(url: str) -> None:
    async with AsyncExitStack() as stack:
        anna, ben = await have_played(url, stack)
        made = await ben.make(TWO)
        known = (await people(anna))["people"][0]["id"]
        for body, code in (
            ({"table": made["table"], "person": known}, "no-such-table"),
            ({"table": (await anna.make(TWO))["table"], "person": "0" * 22}, "no-such-person"),
        ):
            answer = await anna.http.post("/api/lobby/invitations", json=body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, code)
