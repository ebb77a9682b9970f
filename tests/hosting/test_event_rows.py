"""The server and `dicecup.table` write the same text of an event."""

import json

from hypothesis import given
from hypothesis import strategies as st

from dicecup.hosting.event_rows import event_of_row, event_rows
from dicecup.hosting.table_host import TableHost
from dicecup.table.events import ClockHeld, Renamed, Stored, event_to_text
from tests.hosting.guests import play, seated


async def test_the_events_of_a_game_have_one_text(host: TableHost) -> None:
    made = await seated(host)
    await play(host, made.table, ["anna", "ben"], 60)
    rows = await host.store.events(made.table)
    assert len(rows) > 60
    for row in rows:
        assert row.body == event_to_text(event_of_row(row).event)


@given(st.floats(0, 1e9), st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_number_and_text_come_back(seconds: float, name: str) -> None:
    """Numbers may be written differently, as `1e-5` and `1e-05`."""
    events = [Stored(1, 0.0, ClockHeld(seconds)), Stored(2, 0.0, Renamed(0, name))]
    for stored, row in zip(events, event_rows("t", events), strict=True):
        assert event_of_row(row) == stored
        assert json.loads(row.body) == json.loads(event_to_text(stored.event))
