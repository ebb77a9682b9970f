"""The codec reads and writes as pydantic does in strict mode, which the server uses around it."""

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from dicecup.core.errors import DicecupError
from dicecup.table.codec import from_json, to_json, to_text
from dicecup.table.commands import COMMANDS
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import EVENTS
from dicecup.table.setup import Clock, MatchSoFar, SeatSetup, Setup

KINDS: tuple[type, ...] = (*COMMANDS.values(), *EVENTS.values(), Setup)
SETUP: dict[str, Any] = {
    "game": "yamm",
    "seats": [{}, {"kind": "level", "level": "greedy"}],
    "clock": {"kind": "turn", "seconds": 60},
    "games": 3,
    "so_far": {"match": "m", "number": 2, "standing": [1, 0]},
}
VALID: dict[str, Any] = {
    "str": "f1",
    "int": 1,
    "float": 1,
    "bool": True,
    "Remedy": "win",
    "Setup": SETUP,
    "tuple[int, ...]": [0, 1],
    "tuple[str, ...]": ["a", ""],
}
"""By the type of a field, JSON that is one of its values."""
ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 2**70),
    st.floats(allow_nan=False, allow_infinity=False),  # JSON has neither
    st.text(max_size=4),
    st.sampled_from(["win", "level", "turn", "throw", "server"]),
    st.lists(st.integers(0, 3), max_size=2),
    st.dictionaries(st.sampled_from(["kind", "seconds", "level"]), st.integers(0, 60), max_size=2),
)


def given_to(kind: type) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that are nearly values of a dataclass: members are missing, wrong or unknown."""
    hints = kind.__annotations__
    right = {name: SETUP.get(name, VALID.get(getattr(hint, "__name__", str(hint)))) for name, hint in hints.items()}
    names = st.sampled_from([*(name for name in hints if not name.startswith("__")), "more"])
    usual = {name: value for name, value in right.items() if value is not None}
    return st.dictionaries(names, ANYTHING, max_size=3).map(lambda wrong: usual | wrong)


def by_codec(kind: type, data: object) -> object:
    """The value, or the place and the name of the fault."""
    try:
        return from_json(kind, data, TableCode.NOT_AN_EVENT)
    except TableError as error:
        if error.code is TableCode.NOT_AN_EVENT:
            return error.details["text"], error.details["why"]
        return error.code, error.details
    except DicecupError as error:
        return error.code, error.details


@cache
def adapter(kind: type) -> TypeAdapter[Any]:
    """Return pydantic's reader of a type. Making it takes longer than reading."""
    return TypeAdapter(kind)


def by_pydantic(kind: type, data: object) -> object:
    try:
        return adapter(kind).validate_json(json.dumps(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        return ".".join(map(str, first["loc"])), first["type"]
    except DicecupError as error:
        return error.code, error.details


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=30)  # of each of the 60 types
@given(data=st.data())
def test_the_codec_reads_what_pydantic_reads(kind: type, data: st.DataObject) -> None:
    text = data.draw(given_to(kind))
    found: Any = by_codec(kind, text)
    expected = by_pydantic(kind, text)
    assert isinstance(found, kind) == isinstance(expected, kind)
    if isinstance(found, kind):
        assert found == expected
        assert to_json(found) == adapter(kind).dump_python(found, mode="json")
        assert json.loads(to_text(found)) == json.loads(adapter(kind).dump_json(found))


@pytest.mark.parametrize("changed", [{"clock": {"kind": "turn"}}, {"seats": [{}, {"kind": 1}]}, {"games": 1.0}, {"more": 1}])
def test_the_place_and_the_name_of_a_fault_are_those_of_pydantic(changed: dict[str, Any]) -> None:
    data = SETUP | changed
    assert by_codec(Setup, data) == by_pydantic(Setup, data)


@pytest.mark.parametrize("data", [None, [], "yamm", 3])
def test_what_is_no_object_is_refused(data: object) -> None:
    assert by_codec(SeatSetup, data) == by_pydantic(SeatSetup, data) == ("", "dataclass_type")


def test_half_a_character_is_refused() -> None:
    assert by_codec(MatchSoFar, {"match": "\ud800", "number": 2, "standing": []}) == ("match", "string_unicode")


def test_an_error_of_the_dataclass_is_raised_as_it_is() -> None:
    with pytest.raises(TableError) as refused:
        from_json(Clock, {"kind": "turn", "seconds": 1}, TableCode.NOT_A_SETUP)
    assert refused.value.code is TableCode.NOT_A_CLOCK
