"""Programs choose how their person is notified of what happens while they are away."""

from ipaddress import ip_network
from pathlib import Path

import pytest

from dicecup.client import Client, ServerRefusal
from dicecup.table.setup import SeatSetup, Setup
from dicecup.web.people.mail import MailLinks
from dicecup.web.people.telling import Telling
from tests.hosting.guests import KEY
from tests.web.people.receivers import Receiver
from tests.web.serving import serving

PUBLIC = "http://dice.example.org"
TELLING = Telling(
    push_key=bytes(range(1, 33)),
    push_contact="mailto:host@example.org",
    push_networks=(ip_network("127.0.0.0/8"),),
    mail_from="dice@example.org",
    smtp="smtp://127.0.0.1:1",
)


async def test_a_program_chooses_its_channels_and_quiet_hours(tmp_path: Path) -> None:
    async with serving(tmp_path, public_url=PUBLIC, hosts="127.0.0.1", telling=TELLING) as url, Client(url) as client:
        offered = await client.notices()
        assert offered["mail_offered"]
        assert offered["push_key"]
        mail = await client.tell_by_mail("anna@example.org", daily=True)
        assert (mail["daily"], mail["confirmed"]) == (True, False)
        token = MailLinks(KEY, PUBLIC).token("confirm", mail["id"])
        assert (await client.confirm_mail(token))["confirmed"]
        await client.change_mail(daily=False)
        assert not (await client.notices())["mails"][0]["daily"]
        push = await client.tell_by_push(Receiver("https://127.0.0.1/push/anna").subscription)
        await client.set_quiet_hours("Europe/Zurich", 22 * 60, 7 * 60)
        chosen = await client.notices()
        assert [each["address"] for each in chosen["mails"]] == ["anna@example.org"]
        assert [each["id"] for each in chosen["pushes"]] == [push["id"]]
        assert chosen["quiet"] == {"zone": "Europe/Zurich", "begins": 1320, "ends": 420}
        await client.stop_mails()
        await client.stop_push(push["id"])
        assert ((await client.notices())["mails"], (await client.notices())["pushes"]) == ([], [])


async def test_a_program_is_told_nothing_of_a_muted_table(tmp_path: Path) -> None:
    async with serving(tmp_path) as url, Client(url) as anna, Client(url) as ben:
        made = await anna.create(Setup("yamm", (SeatSetup(), SeatSetup())), name="Anna")
        await anna.mute(made.table)
        assert await anna.is_muted(made.table)
        await anna.mute(made.table, muted=False)
        assert not await anna.is_muted(made.table)
        with pytest.raises(ServerRefusal) as refused:
            await ben.mute(made.table)
        assert refused.value.code == "no-such-table"
        with pytest.raises(ServerRefusal) as not_offered:
            await anna.tell_by_mail("anna@example.org")
        assert not_offered.value.code == "not-offered"
