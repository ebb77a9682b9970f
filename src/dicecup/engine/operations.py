"""Operations of all kernels: arrays on the stack, and copies.

Kernels allocate nothing: Numba's runtime is off (`kernel`). What a kernel works in comes from its
caller (`workspaces`), unless it is small and has a constant shape. Then it is on the stack.
"""

from math import prod
from typing import Any

from dicecup.engine.kernel import arrayobj, cgutils, ir, operation, types
from dicecup.engine.workspaces import CACHE_LINE


@operation
def scratch(typing: Any, shape: Any, dtype: Any) -> Any:
    """Return an array on the stack of the kernel, in the order of C. Its content is undefined.

    `shape`: one constant or a tuple of constants. A constant has a name or is a literal; Numba does
    not know the value of a product. Each call of the kernel has an array of its own, which ends
    with the call; within a call each mention of `scratch` is one array, also in a loop.
    """
    parts = tuple(shape) if isinstance(shape, types.BaseTuple) else (shape,)
    if not all(isinstance(part, types.IntegerLiteral) for part in parts):
        return None  # Numba asks again with the literal types
    lengths = [part.literal_value for part in parts]
    number = dtype.dtype
    made = types.Array(number, len(lengths), "C")

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind, index = context.get_data_type(number), ir.IntType(64)
        with builder.goto_entry_block():
            memory = builder.alloca(ir.ArrayType(kind, prod(lengths)))
            memory.align = CACHE_LINE  # as in `rows_of_lanes`
        size = context.get_abi_sizeof(kind)
        steps = [index(size * prod(lengths[axis + 1 :])) for axis in range(len(lengths))]
        array = context.make_array(made)(context, builder)
        data = builder.bitcast(memory, kind.as_pointer())
        arrayobj.populate_array(array, data, [index(length) for length in lengths], steps, size, None)
        return array._getvalue()  # noqa: SLF001 (Numba has no public name for it)

    return made(shape, dtype), emit


@operation
def copy(typing: Any, to: Any, source: Any) -> Any:
    """Copy the numbers of `source` to `to`, which has the same shape.

    Numba's own assignment to a slice allocates where both share memory. Here no number may be part
    of both.
    """
    axes = range(to.ndim)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, origin = (
            context.make_array(kind)(context, builder, value) for kind, value in zip((to, source), arguments, strict=True)
        )
        lengths = [builder.extract_value(target.shape, axis) for axis in axes]
        with cgutils.loop_nest(builder, lengths, ir.IntType(64)) as indices:
            place = cgutils.get_item_pointer(context, builder, source, origin, indices)
            value = context.cast(builder, arrayobj.load_item(context, builder, source, place), source.dtype, to.dtype)
            place = cgutils.get_item_pointer(context, builder, to, target, indices)
            arrayobj.store_item(context, builder, to, value, place)
        return context.get_dummy_value()

    return types.none(to, source), emit
