"""Each kernel does the same just in time, in the native library and in WebAssembly."""

import base64
import copy
import importlib
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dicecup.core.turn import KeptDice
from dicecup.engine import kernel, native
from dicecup.engine.native import collect
from dicecup.engine.native import manifest as files
from dicecup.engine.native.build import in_wasm
from dicecup.engine.native.layout import Array, Export, Scalar, Tuple, from_json
from dicecup.engine.turn import batch
from dicecup.engine.turn import value as twin
from tests.engine.native.tape import Call, Tape

HERE = Path(__file__).parent
SINGLE = 2e-5
"""The relative difference of single-precision results that are summed in another order."""
EXPONENTIALS = ("win_kernel", "duel_kernel", "play_kernel")
"""Modules whose double-precision results rest on `exp` and `erf`, which the page hands to wasm."""
ALLOCATORS = {b"malloc", b"calloc", b"realloc", b"aligned_alloc", b"posix_memalign", b"free", b"NRT_Allocate"}
SIZES = {"bool": np.bool_, "int64": np.int64, "int32": np.int32, "float64": np.float64, "float32": np.float32}


def run(code: str, **settings: str) -> str:
    """Run Python code in another process and return its output."""
    environment = {**os.environ, **settings}
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    return done.stdout


@cache
def manifest() -> dict[str, Any]:
    try:
        library = native.load(required=True)
    except files.LibraryMissingError as error:
        pytest.skip(f"no native library, `make native` builds it: {error}")
    assert library is not None
    found: dict[str, Any] = json.loads((files.FOLDER / files.MANIFEST).read_text())
    return found


@cache
def exports() -> dict[str, list[Export]]:
    found: dict[str, list[Export]] = {}
    for each in map(from_json, manifest()["exports"]):
        found.setdefault(each.name, []).append(each)
    return found


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Tape:
    """What Numba's kernels do, and the functions of their module."""
    manifest()
    path = tmp_path_factory.mktemp("tape") / "tape"
    command = [sys.executable, "-m", "tests.engine.native.tape", str(path)]
    subprocess.run(command, env={**os.environ, kernel.VARIABLE: kernel.RECORD}, check=True)
    found: Tape = pickle.loads(path.read_bytes())  # noqa: S301 (written above)
    return found


@pytest.fixture(scope="module")
def tape(recorded: Tape) -> list[Call]:
    return recorded[0]


def leaves(found: Any) -> Iterator[Any]:
    """Yield the arrays and scalars of an argument."""
    if isinstance(found, tuple):
        for part in found:
            yield from leaves(part)
    elif found is not None:
        yield found


def check(name: str, found: Any, wanted: Any, *, exact: bool = True) -> None:
    """Compare arguments or results: doubles and whole numbers bit for bit, singles nearly."""
    for one, other in zip(leaves(found), leaves(wanted), strict=True):
        value, expected = np.asarray(one), np.asarray(other)
        if exact and expected.dtype != np.float32:
            assert value.tobytes() == expected.astype(value.dtype).tobytes(), name
        else:
            np.testing.assert_allclose(value, expected, rtol=SINGLE, atol=SINGLE * largest(expected), err_msg=name)


def largest(values: Any) -> float:
    finite = np.asarray(values)[np.isfinite(values)]
    return float(np.abs(finite).max(initial=1e-3))


@pytest.mark.native
class TestTargets:
    """The targets one after the other, against Numba's code."""

    def test_one_turn_is_that_of_the_readable_twin(self) -> None:
        manifest()
        draw = np.random.default_rng(5)
        for defi in (None, draw.random((2, 252))):
            for kept_dice in KeptDice:
                stops = draw.random((3, 252))
                found = batch.turn_values(stops, defi, kept_dice=kept_dice)
                readable = twin.turn_values(stops.tolist(), None if defi is None else defi.tolist(), kept_dice=kept_dice)
                assert found.value == pytest.approx(readable.value, rel=1e-14)

    def test_no_kernel_allocates(self, recorded: Tape) -> None:
        _, functions = recorded
        others = {name for name in functions if not name.startswith("llvm.") and "dicecup" not in name}
        assert {"erf", "sqrt"} <= others <= collect.MATHS
        found = [path for path in files.FOLDER.iterdir() if path.name != files.MANIFEST]
        assert found
        for path in found:
            names = set(re.findall(rb"\w+", path.read_bytes()))
            assert b"erf" in names, path.name
            assert not names & ALLOCATORS, path.name

    def test_the_library_does_what_numba_does(self, tape: list[Any]) -> None:
        library = native.load(required=True)
        assert library is not None
        called = set()
        for name, before, after, result in tape:
            arguments = copy.deepcopy(before)
            found = library.bind(name, refuse)(*arguments)
            single = any(np.asarray(leaf).dtype == np.float32 for leaf in leaves((before, result)))
            check(name, found, result, exact=not single)
            check(name, arguments, after, exact=not single)
            called.add(name)
        assert called == set(exports())

    def test_wasm_does_what_numba_does(self, tape: list[Any], tmp_path: Path) -> None:
        node, module = shutil.which("node"), files.FOLDER / files.WASM
        if node is None or not module.exists():
            pytest.skip("no Node, or no WebAssembly module")
        chosen = [(call, each) for call in tape if in_wasm(call[0]) for each in exports()[call[0]] if fits(each, call[1])]
        lines = [json.dumps(packed(each, before)) for (_, before, _, _), each in chosen]
        (tmp_path / "calls").write_text("\n".join(lines))
        command = [node, *map(str, (HERE / "run_wasm.mjs", module, tmp_path / "calls", tmp_path / "results"))]
        subprocess.run(command, check=True)
        results = (tmp_path / "results").read_text().splitlines()
        assert {name for (name, *_), _ in chosen} == set(filter(in_wasm, exports()))
        for ((name, before, after, result), each), line in zip(chosen, results, strict=True):
            found = json.loads(line)
            assert found["status"] == 0
            single = any(np.asarray(leaf).dtype == np.float32 for leaf in leaves((before, result)))
            exact = not single and not any(part in name for part in EXPONENTIALS)
            arrays = [leaf for leaf in leaves(after) if isinstance(leaf, np.ndarray)]
            for content, wanted in zip(found["arrays"], arrays, strict=True):
                value = np.frombuffer(base64.b64decode(content), wanted.dtype).reshape(wanted.shape)
                check(name, value, wanted, exact=exact)
            check(name, unpacked(each, found["result"]), result, exact=exact)


@pytest.mark.native
def test_neither_numba_nor_llvm_is_needed() -> None:
    manifest()
    code = (
        "import sys; sys.modules.update(numba=None, llvmlite=None)\nfrom dicecup.arena.warm import warm; warm(); print('warm')"
    )
    assert run(code, **{kernel.VARIABLE: kernel.NATIVE}) == "warm\n"


def refuse(*arguments: Any) -> Any:
    pytest.fail(f"the library has no code for {list(map(type, arguments))}")


def fits(export: Export, arguments: tuple[Any, ...]) -> bool:
    """Return whether an export is for arguments of these types."""
    kinds = [leaf for argument in export.arguments for leaf in flat(argument)]
    found = list(leaves(arguments))
    return len(kinds) == len(found) and all(
        not isinstance(kind, Array) or (value.dtype, value.ndim) == (np.dtype(kind.dtype), kind.ndim)
        for kind, value in zip(kinds, found, strict=True)
    )


def flat(argument: Any) -> Iterator[Array | Scalar]:
    if isinstance(argument, Tuple):
        for part in argument.parts:
            yield from flat(part)
    else:
        yield argument


def packed(export: Export, arguments: tuple[Any, ...]) -> dict[str, Any]:
    """Return a call as `run_wasm.mjs` reads it."""
    kinds = [leaf for argument in export.arguments for leaf in flat(argument)]
    found: list[dict[str, Any]] = []
    for kind, value in zip(kinds, leaves(arguments), strict=True):
        if isinstance(kind, Array):
            whole = np.ascontiguousarray(value)
            content = base64.b64encode(whole.tobytes()).decode()
            found.append({"bytes": content, "lengths": whole.shape, "strides": whole.strides})
        else:
            dtype = np.float64 if kind.kind == "float64" else np.int64
            found.append({"scalar": base64.b64encode(np.array(value, dtype).tobytes()).decode()})
    return {"symbol": export.symbol, "leaves": found, "result": 8 * len(kinds_of(export))}


def kinds_of(export: Export) -> tuple[str, ...]:
    return () if export.result is None else (export.result,) if isinstance(export.result, str) else export.result


def unpacked(export: Export, result: str) -> Any:
    """Return the result that `run_wasm.mjs` has written."""
    content, place, found = base64.b64decode(result), 0, []
    for kind in kinds_of(export):
        dtype = np.dtype(SIZES[kind])
        place = -(-place // dtype.itemsize) * dtype.itemsize
        found.append(np.frombuffer(content, dtype, 1, place)[0])
        place += dtype.itemsize
    return tuple(found) if export.result is None or isinstance(export.result, tuple) else found[0]


def test_a_changed_source_makes_the_library_foreign(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = tmp_path / "some_kernel.py"
    source.write_text("one")
    monkeypatch.setattr(files, "SOURCES", tmp_path)
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    written = {"sources": [source.name], "digest": files.digest([source.name]), "libraries": {}, "exports": []}
    (tmp_path / files.MANIFEST).write_text(json.dumps(written))
    with pytest.raises(files.LibraryMissingError, match="other processors"):
        native.load(required=True)
    source.write_text("other")
    with pytest.raises(files.LibraryMissingError, match="the sources have changed"):
        native.load(required=True)
    assert native.load() is None


def test_a_missing_library_leaves_kernels_to_numba(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    assert native.load() is None


@pytest.mark.parametrize(
    "flags, best",
    [
        (set(), None),
        (native.LEVELS["x86-64-v2"], "x86-64-v2"),
        (native.LEVELS["x86-64-v3"], None),
        (native.LEVELS["x86-64-v2"] | native.LEVELS["x86-64-v3"], "x86-64-v3"),
        (frozenset().union(*native.LEVELS.values()), "x86-64-v4"),
    ],
)
def test_a_level_needs_the_features_of_all_levels_below(
    monkeypatch: pytest.MonkeyPatch, flags: frozenset[str], best: str | None
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(native, "features", lambda: flags)
    found = native.levels()
    assert (found[0] if found else None) == (best and f"{sys.platform}-{best}")


@pytest.mark.native
def test_every_kernel_of_the_library_is_a_kernel() -> None:
    for name in exports():
        module, _, function = name.rpartition(".")
        assert hasattr(importlib.import_module(module), function)


def test_what_is_neither_a_kernel_nor_arithmetic_is_not_linked() -> None:
    llvm = pytest.importorskip("llvmlite.binding")
    module = llvm.parse_assembly("declare double @exp(double)\ndeclare ptr @malloc(i64)\ndeclare i64 @llvm.smin.i64(i64, i64)")
    assert collect.outside(module) == {"exp", "malloc"}
