"""The rules of the house that cost little to check and are easily broken."""

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from enum import Enum, Flag, StrEnum
from pathlib import Path
from string import Formatter
from types import ModuleType
from typing import Any, TypeVar

import grimp
import pytest

import dicecup
from dicecup.core import errors
from dicecup.locale import LANGUAGES, catalogue

EnumKind = TypeVar("EnumKind", bound=Enum)

TOP = Path(__file__).parent.parent
UI = TOP / "ui"
SOURCES = sorted((TOP / "src").rglob("*.py"))
SCRIPTS = sorted(
    path
    for path in [
        *UI.glob("*.ts"),
        *UI.glob("*.mjs"),
        *UI.glob("*.py"),
        *(UI / "src").rglob("*.*"),
        *(UI / "public").glob("*.js"),
    ]
    if path.name != "protocol.d.ts"  # not written by hand
)
"""Of the browser client; styles too."""
LONGEST = 450
"""Lines of a file that still holds one idea."""

ELSEWHERE = re.compile(
    r"/[w]ork/|/tmp/bash[_]jobs|files\.pythonhosted\.[o]rg|pypi\.[o]rg|registry\.npmjs\.[o]rg|deb\.debian\.[o]rg"
)
"""What only one machine has, or where one machine gets its packages; written so that it doesn't
find itself."""

HEAVY = {"asyncio", "hypothesis", "llvmlite", "numba", "numpy", "pytest", "tqdm"}
"""What costs time at the first prompt."""


@pytest.mark.parametrize("path", SOURCES + SCRIPTS, ids=lambda path: str(path.relative_to(TOP)))
def test_a_file_holds_one_idea(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_nothing_names_one_machine() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True, check=True).stdout.decode()
    named = [
        f"{name}:{number}: {line.strip()}"
        for name in filter(None, listed.split("\0"))
        if (TOP / name).is_file()
        for number, line in enumerate((TOP / name).read_bytes().decode(errors="replace").splitlines(), 1)
        if ELSEWHERE.search(line)
    ]
    assert named == []


def test_the_version_stands_once() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert dicecup.__version__ == project["version"]


# --- Imports --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["dicecup", "dicecup.cli"])
def test_an_import_is_light(name: str) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", f"import sys, {name}; print(*sys.modules)"], capture_output=True, check=True, text=True
    ).stdout
    assert name in shown.split()
    assert HEAVY & set(shown.split()) == set()


def test_no_imports_form_a_circle() -> None:
    """Imports inside functions and for type checking alone count, too."""
    graph = grimp.build_graph("dicecup", cache_dir=None)
    imported = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    while leaves := {name for name, names in imported.items() if not names & imported.keys()}:
        imported = {name: names for name, names in imported.items() if name not in leaves}
    while roots := imported.keys() - {name for names in imported.values() for name in names}:
        imported = {name: names for name, names in imported.items() if name not in roots}
    assert sorted(imported) == []


def modules() -> Iterator[ModuleType]:
    yield dicecup
    for found in pkgutil.walk_packages(dicecup.__path__, "dicecup."):
        needs_open_spiel = found.name == "dicecup.envs.openspiel" and sys.version_info >= (3, 14)  # which it has no wheel for
        if found.name.endswith(".__main__") or needs_open_spiel:
            continue
        try:
            yield importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            if error.name != "torch":  # of the extra `dice-reader`, which no tests install
                raise


def test_an_exported_name_exists_and_is_described() -> None:
    missing = [
        f"{module.__name__}.{name}"
        for module in modules()
        for name in getattr(module, "__all__", ())
        if not hasattr(module, name) or not _described(getattr(module, name))
    ]
    assert missing == []


def _described(value: object) -> bool:
    """Whether a module, class or function has a docstring of its own; a constant is described where
    it is defined."""
    if inspect.isclass(value):
        text = vars(value).get("__doc__") or ""
        # what a dataclass without one says of itself
        return bool(text) and not text.startswith(f"{value.__name__}(")
    return bool(value.__doc__) if inspect.ismodule(value) or inspect.isroutine(value) else True


def test_the_tree_of_errors_holds_every_error_class() -> None:
    """The docstring of `core.errors` draws the class hierarchy; four columns are one level."""
    drawn: dict[str, str] = {}
    branch: list[str] = []
    for indent, name in re.findall(r"^ {4}([│├└─ ]*)([A-Z]\w+)", errors.__doc__ or "", re.MULTILINE):
        level = len(indent) // 4
        branch[level:] = [name]
        if level:
            drawn[name] = branch[level - 1]
    classes = {
        value
        for module in modules()
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, errors.DicecupError) and value is not errors.DicecupError
    }
    assert drawn == {kind.__name__: kind.__bases__[0].__name__ for kind in classes}


# --- Texts ----------------------------------------------------------------------------------------


def texts(message: object) -> Iterator[str]:
    """Every text of a message: one, or a plural's forms."""
    if isinstance(message, str):
        yield message
    else:
        assert isinstance(message, list)
        for plural in message:
            yield from plural["match"].values()


def placeholders(message: object) -> set[str]:
    return {field for text in texts(message) for _, field, _, _ in Formatter().parse(text) if field is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_says_the_same_as_the_english_one(language: str) -> None:
    english: Mapping[str, Any] = catalogue("en")
    other = catalogue(language)
    assert list(other) == list(english)
    assert {key: placeholders(other[key]) for key in other} == {key: placeholders(english[key]) for key in english}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plural_has_every_form_of_its_language(language: str) -> None:
    from babel import Locale

    forms = Locale(language).plural_form.tags | {"other"}
    for key, message in catalogue(language).items():
        if not isinstance(message, str):
            (plural,) = message
            (selector,) = plural["selectors"]
            written = {choice.removeprefix(f"{selector}=") for choice in plural["match"]}
            assert "other" in written, key
            assert written <= forms, key


def test_french_punctuation_stays_with_its_word() -> None:
    """A no-break space precedes `: ; ? !` and `»` and follows `«`. A `?` or `!` after other
    punctuation is a command that players type."""
    broken = re.compile(r"(?<![:;,.]) [:;?!]|\S[:;?!](?=\s|$)|[^\u00a0]»|«[^\u00a0]|[\u2009\u202f]")
    wrong = {
        key: found
        for key, message in catalogue("fr").items()
        if key != "language_plurals" and (found := [text for text in texts(message) if broken.search(text)])
    }
    assert wrong == {}


def test_numbers_stay_with_the_percent_sign() -> None:
    """German and French put a space between them, which must not break; English puts none."""
    wrong = {"de": r"[}0-9] ?%", "en": r"[}0-9]\s%", "fr": r"[}0-9] ?%"}
    messages = [(code, key, text) for code in wrong for key, message in catalogue(code).items() for text in texts(message)]
    assert [(code, key) for code, key, text in messages if re.search(wrong[code], text)] == []


def written(paths: list[Path]) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def keys(source: str) -> tuple[set[str], set[str]]:
    """Whatever may be a key, and how keys begin that are put together."""
    return (
        set(re.findall(r"""["'`]([A-Za-z0-9_]+)["'`]""", source)),
        set(re.findall(r"""(?:f["']([a-z]+_(?:[a-z]+_)*)\{)""", source))
        | set(re.findall(r"`([a-z]+_(?:[a-z]+_)*)\$\{", source)),
    )


def test_every_message_is_shown_somewhere() -> None:
    names, families = keys(written(SOURCES + SCRIPTS))
    assert [key for key in catalogue("en") if key not in names and not key.startswith(tuple(families))] == []


def test_every_message_of_the_browser_reaches_it() -> None:
    """A build takes the keys that ui/messages.ts describes."""
    parts = re.search(r"const PARTS[^{]*\{(.*?)\n\};", (UI / "messages.ts").read_text("utf-8"), re.DOTALL)
    assert parts is not None
    taken = [re.compile(found) for found in re.findall(r"\w+: /(.+)/,", parts[1])]
    reaching = {key for key in catalogue("en") if any(part.search(key) for part in taken)}
    source = re.sub(r"/\*.*?\*/", "", written([path for path in SCRIPTS if path.is_relative_to(UI / "src")]), flags=re.DOTALL)
    _, families = keys(source)
    asked = set(re.findall(r"""\bt\(\s*["'`]([A-Za-z0-9_]+)["'`]""", source))
    assert asked - reaching == set()
    assert [family for family in families if not any(key.startswith(family) for key in reaching)] == []


def test_the_client_asks_no_other_host_and_has_no_style_in_its_pages() -> None:
    """The policy of the pages would refuse both."""
    source = written([*SCRIPTS, UI / "index.html", *(UI / "public").glob("*.svg"), *(UI / "public").glob("*.webmanifest")])
    # a namespace
    assert set(re.findall(r"""\b(?:https?|wss?)://[\w.-]+""", source)) <= {"http://www.w3.org"}
    assert re.findall(r"""<\w[^>]*\sstyle=""", source) == []


def test_every_code_is_explained_in_the_docs() -> None:
    explained = (TOP / "docs" / "notation.md").read_text(encoding="utf-8")
    codes = {code for kind in enums(StrEnum) if kind.__name__.endswith("Code") for code in kind}
    assert {code for code in codes if f"`{code}`" not in explained} == set()


def test_every_code_and_every_fault_has_a_message() -> None:
    coded = {f"error_{code.replace('-', '_')}" for kind in enums(StrEnum) if kind.__name__.endswith("Code") for code in kind}
    faulty = {f"fault_{(fault.name or '').lower()}" for kind in enums(Flag) for fault in kind}
    output = {key for key in catalogue("en") if key.startswith(("error_", "fault_"))}
    assert coded | faulty <= output
    assert output - coded - faulty == {"error_bad_command_line", "error_other"}


def enums(base: type[EnumKind]) -> set[type[EnumKind]]:
    """Every enumeration of that kind that Dicecup defines."""
    return {
        value
        for module in modules()
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, base) and value.__module__.startswith("dicecup")
    }
