"""The client's types of messages are those of the models."""

import importlib.util
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
WRITTEN = TOP / "ui" / "src" / "lib" / "protocol.d.ts"


@pytest.mark.slow
def test_the_types_are_made_of_the_models(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("dicecup_ui_build", TOP / "ui" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    tools = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tools)
    if not tools.INSTALLED.is_file():
        pytest.skip("npm's packages are not here: make ui")
    tools.protocol(tmp_path / "protocol.d.ts")
    assert (tmp_path / "protocol.d.ts").read_text("utf-8") == WRITTEN.read_text("utf-8"), "make protocol"
