"""The functions that the page calls (`page_library`), as LLVM code.

Each takes a pointer to slots of eight bytes, one for each scalar and each array of its arguments,
and a pointer to the place of the result. It returns 0, or another number if the kernel raised an
exception. The slot of an array points to its address, its lengths and its strides in bytes, 64 bits
each.
"""

from collections.abc import Iterator, Mapping, Sequence

from dicecup.engine.native.layout import Array, Export, array_arguments, leaves


def functions(exports: Sequence[Export], signatures: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the functions. `signatures`: the LLVM types of the arguments of Numba's functions."""
    for export in exports:
        yield "\n".join(_function(export, signatures[export.code]))


def _function(export: Export, types: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a function."""
    yield f"define i32 @{export.symbol}(ptr %slots, ptr %out) {{"
    yield "  %raised = alloca ptr"
    yield "  %nothing = alloca ptr"
    arguments = [f"ptr {'%nothing' if export.result is None else '%out'}", "ptr %raised"]
    for at, leaf in enumerate(leaf for argument in export.arguments for leaf in leaves(argument)):
        yield f"  %slot{at} = getelementptr i64, ptr %slots, i64 {at}"
        kind = types[len(arguments)]
        if isinstance(leaf, Array):
            yield from _array(at, leaf)
            arguments += array_arguments(at, leaf)
        elif kind in ("double", "float", "i64"):
            yield f"  %value{at} = load {kind}, ptr %slot{at}"
            arguments.append(f"{kind} %value{at}")
        else:
            yield f"  %wide{at} = load i64, ptr %slot{at}"
            yield f"  %value{at} = trunc i64 %wide{at} to {kind}"
            arguments.append(f"{kind} %value{at}")
    assert [argument.split()[0] for argument in arguments] == list(types), export.name
    yield f'  %status = call i32 @"{export.code}"({", ".join(arguments)})'
    yield "  ret i32 %status"
    yield "}"


def _array(at: int, leaf: Array) -> Iterator[str]:
    """Yield the code that loads the parts of an array."""
    yield f"  %place{at} = load i64, ptr %slot{at}"
    yield f"  %array{at} = inttoptr i64 %place{at} to ptr"
    yield f"  %address{at} = load i64, ptr %array{at}"
    yield f"  %data{at} = inttoptr i64 %address{at} to ptr"
    items = "1"
    for axis in range(leaf.ndim):
        for name, first in (("length", 1), ("stride", 1 + leaf.ndim)):
            yield f"  %{name}_at{at}_{axis} = getelementptr i64, ptr %array{at}, i64 {first + axis}"
            yield f"  %{name}{at}_{axis} = load i64, ptr %{name}_at{at}_{axis}"
        yield f"  %items{at}_{axis} = mul i64 {items}, %length{at}_{axis}"
        items = f"%items{at}_{axis}"
