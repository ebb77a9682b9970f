"""All exported kernels as one LLVM module, compiled by Numba, and what their arguments are.

Numba compiles each kernel with the types with which the warm-ups call it from Python. Its modules
are optimised for `CPU`; they hold the kernels that they call, too. Here they are linked to one.
"""

from collections.abc import Iterable
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np

from dicecup.engine import kernel
from dicecup.engine.native.layout import Argument, Array, Export, Scalar, Tuple

MATHS: Final = frozenset({"erf", "erff", "exp", "expf", "pow", "powf", "sqrt", "sqrtf"})
"""The functions of the C library that kernels may call. None of them allocates."""


class NotExportedError(Exception):
    """A kernel takes or returns what cannot be handed over a C interface, or calls what is not
    there.
    """


def exports() -> list[tuple[Export, Any]]:
    """Return the kernels that Python has called so far, each with Numba's library of its code."""
    found = []
    for made in kernel.recorded:
        for at, types in enumerate(sorted(made.called, key=str)):
            compiled = made.dispatcher.overloads[types]
            name = made.name
            try:
                arguments = tuple(map(argument, types))
                result = results(compiled.signature.return_type)
            except NotExportedError as error:
                raise NotExportedError(f"{name}: {error}") from None
            symbol = f"{name.removeprefix('dicecup.engine.').replace('.', '_')}_{at}"
            export = Export(name, symbol, compiled.fndesc.llvm_func_name, arguments, result)
            found.append((export, compiled.library))
    return found


def linked(libraries: Iterable[tuple[Any, str]]) -> Any:
    """Return one LLVM module with these functions, each given by a library of Numba and its name,
    and with all that they call.

    Raises `NotExportedError` where they call a function that is not part of it, and is none of
    LLVM or of `MATHS`.
    """
    module = llvm.parse_assembly("")
    for library, name in libraries:
        part = library._get_module_for_linking().clone()  # noqa: SLF001 (the optimised module)
        part.get_function(name).linkage = "external"
        module.link_in(part, preserve=True)
    for library in kernel.shared():
        module.link_in(library._get_module_for_linking().clone())  # noqa: SLF001 (as above)
    if strange := outside(module) - MATHS:
        raise NotExportedError(f"kernels call {', '.join(sorted(strange))}")
    return module


def outside(module: Any) -> set[str]:
    """Return the names of the functions that a module calls but does not hold, without LLVM's."""
    return {function.name for function in module.functions if function.is_declaration and not function.name.startswith("llvm.")}


def argument(kind: Any) -> Argument:
    """Return the layout of an argument of this Numba type. Raises `NotExportedError`."""
    from numba.core import types

    match kind:
        case types.Array():
            dtype = np.dtype(str(kind.dtype))
            return Array(dtype.name, kind.ndim, kind.layout == "C", kind.mutable)
        case types.BaseTuple():
            parts: Any = kind
            names = getattr(kind, "fields", None)
            return Tuple(tuple(map(argument, parts)), tuple(names) if names else None)
        case types.Boolean() | types.Integer() | types.Float():
            return Scalar(str(kind))
    raise NotExportedError(f"argument {kind}")


def results(kind: Any) -> tuple[str, ...] | str | None:
    """Return the type of the result: `None`, a scalar, or a tuple of scalars. Raises
    `NotExportedError`."""
    from numba.core import types

    match kind:
        case types.NoneType():
            return None
        case types.BaseTuple():
            parts: Any = kind
            return tuple(str(part) for part in parts)
        case types.Boolean() | types.Integer() | types.Float():
            return str(kind)
    raise NotExportedError(f"result {kind}")
