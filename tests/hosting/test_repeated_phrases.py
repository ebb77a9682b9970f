"""A phrase is meant for no number of the table, so only its id tells that it was said before."""

from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Say
from dicecup.table.talk import Phrase
from tests.hosting.guests import seated


async def test_a_phrase_that_is_sent_again_is_said_once(host: TableHost) -> None:
    """Also after the table left the memory of the server, and beside the same id of another
    person."""
    made = await seated(host)

    async def say(identity: str, command_id: str) -> int:
        return await host.send(made.table, identity, Say(Phrase.HELLO), version=0, command_id=command_id)

    said = await say("anna", "1")
    assert await say("anna", "1") == said
    host.cache.tables.clear()
    assert await say("anna", "1") == said
    assert await say("ben", "1") == said + 1
    assert await say("anna", "2") == said + 2
    rows = await host.store.events(made.table, 0)
    assert [row.identity for row in rows if row.command_id in {"1", "2"}][-3:] == ["anna", "ben", "anna"]
    assert rows[-1].number == said + 2
