import pytest

from dicecup import games
from dicecup.line_protocol import EngineSpec, LineProtocolCode, LineProtocolError
from tests.line_protocol.stubs import HERE, PATIENT

START = games.from_id("yam-master").start().roll("11235")


def spec(name: str) -> EngineSpec:
    found = EngineSpec.read(f"{HERE}:{name}" if "." not in name else name)
    assert found is not None
    assert found.is_agent
    return found


@pytest.mark.parametrize(
    "name, why",
    [
        ("no.such.module:make", "No module named 'no'"),
        ("missing", "has no attribute 'missing'"),
        ("NUMBER", "int is not callable"),
        ("broken", "ValueError: no model for check"),
        ("nothing", "NoneType has no choose"),
    ],
)
def test_an_import_path_that_leads_to_no_agent_has_a_code(name: str, why: str) -> None:
    with pytest.raises(LineProtocolError) as caught:
        spec(name).check("yam-master", PATIENT)
    assert caught.value.code is LineProtocolCode.NOT_AN_AGENT
    assert why in str(caught.value.details["why"])


def test_an_agent_may_return_texts_and_print() -> None:
    engine = spec("last").start(PATIENT)
    engine.new_game("yam-master", "1")
    assert engine.choose(START) == START.actions[-1]
    engine.close()


def test_an_agent_that_raises_dies_with_its_error() -> None:
    engine = spec("raises").start(PATIENT)
    engine.new_game("yam-master", "1")
    with pytest.raises(LineProtocolError) as caught:
        engine.choose(START)
    assert caught.value.code is LineProtocolCode.DIED
    assert str(caught.value.details["why"]).startswith("status 1: ZeroDivisionError")
    engine.close(grace=0)
