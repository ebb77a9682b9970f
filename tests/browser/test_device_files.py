"""The files with which a page plays without a connection: those of its own version, from the device
or the server."""

import json
from typing import Final

from tests.browser.harness import Json
from tests.browser.node_program import HERE, run_node

OWN: Final = ["dicecup-2.zip", "pyodide-2/pyodide.mjs"]
BEFORE: Final = ["dicecup-1.zip", "pyodide-1/pyodide.mjs"]
PLAYS: Final = {"interpreter": "/python/pyodide-2/", "program": "dicecup-2.zip"}


def outcome(**given: object) -> Json:
    """Return the outcome of loading (device_files_runner.mjs)."""
    (found,) = json.loads(run_node(HERE / "device_files_runner.mjs", given=[given]))
    assert isinstance(found, dict)
    return found


def test_the_page_plays_with_the_program_of_its_own_version() -> None:
    """The program of the version before stays for the pages of that version."""
    assert outcome(held=BEFORE, served=OWN) == {**PLAYS, "kept": sorted(BEFORE + OWN)}
    assert outcome(held=OWN) == {**PLAYS, "kept": OWN}


def test_a_program_of_another_version_is_not_used() -> None:
    """The page has to be loaded anew: a page from before a deployment, or one whose program did not
    arrive."""
    assert outcome(served=["dicecup-3.zip", "pyodide-2/pyodide.mjs"])["obstacle"] == "outdated"
    assert outcome(held=BEFORE)["obstacle"] == "outdated"
    assert outcome()["obstacle"] == "no-files"


def test_a_full_disk_does_not_keep_loaded_files_from_playing() -> None:
    assert outcome(served=OWN, full=True) == {**PLAYS, "kept": []}
    assert outcome(held=OWN, full=True) == {**PLAYS, "kept": OWN}


def test_a_damaged_file_is_loaded_anew_or_reported() -> None:
    assert outcome(held=OWN[:1], damaged=OWN[1:], served=OWN) == {**PLAYS, "kept": OWN}
    assert outcome(held=OWN[:1], damaged=OWN[1:])["obstacle"] == "damaged"
