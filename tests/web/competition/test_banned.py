"""A banned person neither enters nor organises tournaments, nor plays rated games."""

from time import time

from dicecup.tournament.commands import Enter, tournament_command_to_json
from dicecup.tournament.setup import DiceKind, Format, tournament_setup_to_json
from tests.tournament.playing import setup
from tests.web.administrators import identity_of, make_admin
from tests.web.serving import TWO, Browser, Json, handshake, serving

SOON = time() + 86_400
RESULTS = {"setup": tournament_setup_to_json(setup(Format.SWISS, dice=DiceKind.RESULTS, listed=True))}
RATED = TWO | {"rated": True}


async def test_a_banned_person_takes_part_in_no_competition(database: str) -> None:
    async with serving(database, rated="everyone") as url, Browser(url) as admin, Browser(url) as ben:
        await make_admin(admin, database)
        await ben.http.get("/api/me")
        theirs = (await admin.http.post("/api/tournaments", json=RESULTS)).json()["tournament"]
        own = (await ben.http.post("/api/tournaments", json=RESULTS)).json()["tournament"]
        table = (await admin.make(RATED))["table"]
        ban = {"person": identity_of(ben), "until": SOON, "reason": "insults"}
        assert (await admin.http.post("/api/admin/bans", json=ban)).status_code == 204

        enter: Json = tournament_command_to_json(Enter("Ben"))
        add: Json = {"type": "add-entrant", "name": "Carla", "strength": 0}
        sit: Json = {"type": "sit", "name": "Ben"}
        for path, sent in (
            (f"/api/tournaments/{theirs}/commands", {"id": "1", "version": 1, "command": enter}),
            (f"/api/tournaments/{own}/commands", {"id": "2", "version": 1, "command": add}),
            ("/api/tournaments", RESULTS),
            ("/api/tables", {"setup": RATED, "name": "Ben"}),
            (f"/api/tables/{table}/commands", {"id": "3", "version": 2, "command": sit}),
        ):
            refused = await ben.http.post(path, json=sent)
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "banned"), path
        for path in (f"/ws/tournaments/{theirs}", f"/ws/tables/{table}", "/ws/lobby"):
            assert (await handshake(url.replace("http", "ws") + path, Cookie=ben.cookie))[0] == 403, path
        for tournament in (theirs, own):
            view = (await admin.http.get(f"/api/tournaments/{tournament}")).json()["view"]
            assert (view["entrants"], view["number"]) == ([], 1)

        assert (await admin.http.post("/api/admin/bans/lift", json={"person": ban["person"]})).status_code == 204
        entered = {"id": "4", "version": 1, "command": enter}
        assert (await ben.http.post(f"/api/tournaments/{theirs}/commands", json=entered)).status_code == 200
