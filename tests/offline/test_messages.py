"""A page without a server reads the messages that a server reads, with the same limits."""

from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any, Final, get_args

import annotated_types
import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from dicecup.offline import messages
from dicecup.offline.errors import OfflineCode, OfflineError
from dicecup.offline.messages import Between
from dicecup.web import http_messages, learning_messages
from dicecup.web import messages as web_messages

PAIRS: Final[dict[type, type[BaseModel]]] = {
    messages.Hello: web_messages.Hello,
    messages.Ping: web_messages.Ping,
    messages.CommandHead: web_messages.Do,
    messages.NamedSeat: http_messages.NamedSeat,
    messages.NewTable: http_messages.NewTable,
    messages.AskStart: http_messages.AskStart,
    messages.AskOdds: learning_messages.AskOdds,
    messages.AskAnalysis: learning_messages.AskAnalysis,
    messages.AskShow: learning_messages.AskShow,
    messages.AskReview: learning_messages.AskReview,
    messages.AskQuestion: learning_messages.AskQuestion,
    messages.GivenAnswer: learning_messages.GivenAnswer,
    messages.AskVerdict: learning_messages.AskVerdict,
}
READ_APART: Final = {"type", "command"}
"""Members that choose the type of a message or a command."""


def own_fields(kind: Any) -> dict[str, Any]:
    """The defaults of a message by field; `MISSING` where it is required."""
    return {field.name: field.default for field in fields(kind) if field.name not in READ_APART}


def fields_of_server(kind: type[BaseModel]) -> dict[str, Any]:
    defaults = {
        name: MISSING if field.is_required() else field.get_default(call_default_factory=True)
        for name, field in kind.model_fields.items()
        if name not in READ_APART
    }
    return {name: tuple(default) if isinstance(default, list) else default for name, default in defaults.items()}


def constraints(field: FieldInfo) -> Iterator[object]:
    """Yield the constraints of a field, also those of the type before `| None`."""
    yield from field.metadata
    for part in get_args(field.annotation):
        for each in getattr(part, "__metadata__", ()):
            yield from each.metadata


def limit(field: FieldInfo) -> Between | None:
    least, most = 0, None
    for each in constraints(field):
        match each:
            case annotated_types.Ge(ge=int(bound)) | annotated_types.MinLen(min_length=bound):
                least = bound
            case annotated_types.Le(le=int(bound)) | annotated_types.MaxLen(max_length=bound):
                most = bound
            case annotated_types.Lt(lt=int(bound)):
                most = bound - 1
    return None if most is None else Between(least, most)


@pytest.mark.parametrize("kind", PAIRS, ids=lambda kind: kind.__name__)
def test_a_message_has_the_fields_defaults_and_limits_of_the_server(kind: type) -> None:
    server = PAIRS[kind]
    assert own_fields(kind) == fields_of_server(server)
    theirs = {name: found for name, field in server.model_fields.items() if (found := limit(field)) is not None}
    assert dict(messages.limits(kind)) == theirs


@pytest.mark.parametrize(
    "kind, data",
    [
        (messages.AskQuestion, {"game": "yamm", "seed": "s", "number": 1, "difficulty": 6}),
        (messages.AskQuestion, {"game": "yamm", "seed": "s" * 65, "number": 1}),
        (messages.AskOdds, {"throws_left": -1}),
        (
            messages.AskVerdict,
            {"game": "yamm", "position": "", "difficulty": 1, "played": "", "before": {"difficulty": 0, "right": True}},
        ),
        (messages.NewTable, {"setup": {"game": "yamm", "seats": [{}, {}]}, "seats": 17 * [{"seat": 0, "name": ""}]}),
    ],
)
def test_a_member_outside_its_limits_is_refused(kind: type, data: object) -> None:
    with pytest.raises(OfflineError) as refused:
        messages.read(kind, data)
    assert refused.value.code == OfflineCode.NOT_A_MESSAGE
