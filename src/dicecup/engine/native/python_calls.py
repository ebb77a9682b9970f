"""The functions that Python calls, as LLVM code: builtin functions of CPython's stable interface.

Each takes its arguments as `METH_FASTCALL` hands them over, and looks for code that was compiled
for their types. The global lock is released while that runs. If there is no such code, the function
calls its `self` with the same arguments.

The parts of arrays are read from the objects of NumPy, whose layout is part of NumPy's binary
interface. `are_arrays_known` compares it with arrays of the running process.
"""

import ctypes
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

import numpy as np

from dicecup.engine.native.layout import Argument, Array, Export, Scalar, Tuple, array_arguments

TYPE, DATA, NDIM, LENGTHS, STRIDES, DTYPE, FLAGS = 8, 16, 24, 32, 40, 56, 64
ORDER_OF_DTYPE, NUMBER_OF_DTYPE = 26, 28
CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
ARRAY_TYPE: Final = "dicecup_array_type"
"""The variable that the loader sets to the address of NumPy's type of arrays."""
_CODES: Final = "?bBhHiIlLqQfd"
DECLARATIONS: Final = f"""
@{ARRAY_TYPE} = global ptr null
@_Py_NoneStruct = external global i8
@PyFloat_Type = external global i8
@PyLong_Type = external global i8
@PyExc_ArithmeticError = external global ptr
declare void @PyErr_Clear()
declare ptr @PyErr_Occurred()
declare void @PyErr_SetString(ptr, ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare ptr @PyBool_FromLong(i64)
declare double @PyFloat_AsDouble(ptr)
declare ptr @PyFloat_FromDouble(double)
declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyLong_FromUnsignedLongLong(i64)
declare i32 @PyObject_IsTrue(ptr)
declare ptr @PyObject_CallObject(ptr, ptr)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare i64 @PyTuple_Size(ptr)
declare ptr @PyTuple_GetItem(ptr, i64)
declare i32 @PyType_IsSubtype(ptr, ptr)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)

define internal ptr @dicecup_otherwise(ptr %self, ptr %args, i64 %count) {{
entry:
  %tuple = call ptr @PyTuple_New(i64 %count)
  %none = icmp eq ptr %tuple, null
  br i1 %none, label %failed, label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %more ]
  %left = icmp slt i64 %at, %count
  br i1 %left, label %more, label %call
more:
  %place = getelementptr ptr, ptr %args, i64 %at
  %argument = load ptr, ptr %place
  call void @Py_IncRef(ptr %argument)
  %set = call i32 @PyTuple_SetItem(ptr %tuple, i64 %at, ptr %argument)
  %next = add i64 %at, 1
  br label %loop
call:
  %result = call ptr @PyObject_CallObject(ptr %self, ptr %tuple)
  call void @Py_DecRef(ptr %tuple)
  ret ptr %result
failed:
  ret ptr null
}}
"""
_SIZES: Final = {"bool": ("i8", 1), "int8": ("i8", 1), "int16": ("i16", 2), "int32": ("i32", 4), "int64": ("i64", 8)}
_SIZES_OF_RESULTS: Final = {**_SIZES, "uint64": ("i64", 8), "float32": ("float", 4), "float64": ("double", 8)}


def functions(exports: Sequence[Export], signatures: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the functions, one for each kernel. `signatures`: the LLVM types of the arguments of
    Numba's functions."""
    yield DECLARATIONS
    for name, found in groupby(exports, key=lambda export: export.name):
        yield "\n".join(_Function(name, list(found)).lines(signatures))


def symbol(name: str) -> str:
    """Return the name of the C function of a kernel, given its module and name."""
    return name.removeprefix("dicecup.engine.").replace(".", "_")


def are_arrays_known() -> bool:
    """Return whether an array object has its parts where the functions look for them."""
    if sys.implementation.name != "cpython" or object.__basicsize__ != DATA or sys.byteorder != "little":
        return False
    array = np.zeros((2, 3), np.float32)
    parts = struct.unpack_from("<QiiQQQQi", (ctypes.c_char * 56).from_address(id(array) + DATA))
    data, ndim, _, lengths, strides, _, dtype, flags = parts
    wanted = CONTIGUOUS | ALIGNED | WRITEABLE
    return (
        (data, ndim, dtype) == (array.ctypes.data, 2, id(array.dtype))
        and struct.unpack_from("<qq", (ctypes.c_char * 16).from_address(lengths)) == (2, 3)
        and struct.unpack_from("<qq", (ctypes.c_char * 16).from_address(strides)) == (12, 4)
        and flags & wanted == wanted
        and ctypes.c_void_p.from_address(id(array) + TYPE).value == id(np.ndarray)
        and ctypes.c_int.from_address(dtype + NUMBER_OF_DTYPE).value == array.dtype.num
    )


class _Function:
    """The lines of the function of one kernel."""

    def __init__(self, name: str, exports: Sequence[Export]) -> None:
        self.name = name
        self.exports = exports
        self._made: list[str] = []
        self._labels = 0

    def lines(self, signatures: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """Yield all lines."""
        text = f"kernel {self.name.removeprefix('dicecup.engine.')} failed"
        yield f'@name_{symbol(self.name)} = internal constant [{len(text) + 1} x i8] c"{text}\\00"'
        yield f"define ptr @{symbol(self.name)}(ptr %self, ptr %args, i64 %count) {{"
        yield "entry:"
        yield "  %out = alloca [8 x i64], align 16"
        yield "  %raised = alloca ptr"
        yield f"  %array_type = load ptr, ptr @{ARRAY_TYPE}"
        yield f"  %counted = icmp eq i64 %count, {len(self.exports[0].arguments)}"
        yield "  br i1 %counted, label %try0, label %otherwise"
        for number, export in enumerate(self.exports):
            self._made = []
            self._attempt(number, export, signatures[export.code])
            yield from self._made
        yield f"try{len(self.exports)}:"
        yield "  br label %otherwise"
        yield "otherwise:"
        yield "  %found = call ptr @dicecup_otherwise(ptr %self, ptr %args, i64 %count)"
        yield "  ret ptr %found"
        yield "}"

    def _add(self, *lines: str) -> None:
        self._made += [f"  {line}" for line in lines]

    def _label(self, name: str) -> None:
        self._made.append(f"{name}:")

    def _require(self, condition: str, number: int) -> None:
        """Give up this attempt unless a condition holds."""
        self._labels += 1
        self._add(f"br i1 {condition}, label %go{self._labels}, label %unfit{number}")
        self._label(f"go{self._labels}")

    def _attempt(self, number: int, export: Export, types: Sequence[str]) -> None:
        """Add the code that runs one export if the arguments fit."""
        self._label(f"try{number}")
        arguments = ["ptr %out", "ptr %raised"]
        leaf_number = 0

        def take(argument: Argument, name: str) -> None:
            nonlocal leaf_number
            if isinstance(argument, Tuple):
                self._add(f"%size{name} = call i64 @PyTuple_Size(ptr %{name})")
                self._add(f"%whole{name} = icmp eq i64 %size{name}, {len(argument.parts)}")
                self._require(f"%whole{name}", number)
                for at, part in enumerate(argument.parts):
                    self._add(f"%{name}_{at} = call ptr @PyTuple_GetItem(ptr %{name}, i64 {at})")
                    take(part, f"{name}_{at}")
                return
            key = f"{number}_{leaf_number}"
            leaf_number += 1
            if isinstance(argument, Array):
                self._array(key, argument, name, number)
                arguments.extend(array_arguments(key, argument))
            else:
                self._scalar(key, argument, name, number, types[len(arguments)])
                arguments.append(f"{types[len(arguments)]} %value{key}")

        for at, argument in enumerate(export.arguments):
            name = f"argument{number}_{at}"
            self._add(f"%place_{name} = getelementptr ptr, ptr %args, i64 {at}", f"%{name} = load ptr, ptr %place_{name}")
            take(argument, name)
        assert [argument.split()[0] for argument in arguments] == list(types), export.name
        self._add(
            f"%thread{number} = call ptr @PyEval_SaveThread()",
            f'%status{number} = call i32 @"{export.code}"({", ".join(arguments)})',
            f"call void @PyEval_RestoreThread(ptr %thread{number})",
            f"%done{number} = icmp eq i32 %status{number}, 0",
            f"br i1 %done{number}, label %well{number}, label %failed{number}",
        )
        self._label(f"failed{number}")
        self._add(
            f"%error{number} = load ptr, ptr @PyExc_ArithmeticError",
            f"call void @PyErr_SetString(ptr %error{number}, ptr @name_{symbol(self.name)})",
            "ret ptr null",
        )
        self._label(f"well{number}")
        self._result(export, number)
        self._label(f"unfit{number}")
        self._add("call void @PyErr_Clear()", f"br label %try{number + 1}")

    def _array(self, at: str, leaf: Array, name: str, number: int) -> None:
        """Add the code that checks an array and loads its parts."""

        def load(part: str, kind: str, place: int, whole: str) -> None:
            self._add(f"%{part}_at{at} = getelementptr i8, ptr %{whole}, i64 {place}")
            self._add(f"%{part}{at} = load {kind}, ptr %{part}_at{at}")

        load("type", "ptr", TYPE, name)
        self._add(f"%kind{at} = call i32 @PyType_IsSubtype(ptr %type{at}, ptr %array_type)")
        self._add(f"%typed{at} = icmp ne i32 %kind{at}, 0")
        self._require(f"%typed{at}", number)
        load("ndim", "i32", NDIM, name)
        load("flags", "i32", FLAGS, name)
        load("dtype", "ptr", DTYPE, name)
        load("number", "i32", NUMBER_OF_DTYPE, f"dtype{at}")
        load("order", "i8", ORDER_OF_DTYPE, f"dtype{at}")
        flags = ALIGNED | CONTIGUOUS * leaf.contiguous | WRITEABLE * leaf.written
        self._add(
            f"%some{at} = and i32 %flags{at}, {flags}",
            f"%flagged{at} = icmp eq i32 %some{at}, {flags}",
            f"%ordered{at} = icmp ne i8 %order{at}, {ord('>')}",
            f"%axes{at} = icmp eq i32 %ndim{at}, {leaf.ndim}",
        )
        numbers = sorted({np.dtype(code).num for code in _CODES if np.dtype(code) == np.dtype(leaf.dtype)})
        known = "false"
        for code in numbers:
            self._add(f"%is{at}_{code} = icmp eq i32 %number{at}, {code}")
            self._add(f"%known{at}_{code} = or i1 {known}, %is{at}_{code}")
            known = f"%known{at}_{code}"
        self._add(
            f"%one{at} = and i1 {known}, %axes{at}",
            f"%two{at} = and i1 %one{at}, %ordered{at}",
            f"%fits{at} = and i1 %two{at}, %flagged{at}",
        )
        self._require(f"%fits{at}", number)
        load("data", "ptr", DATA, name)
        load("lengths", "ptr", LENGTHS, name)
        load("strides", "ptr", STRIDES, name)
        items = "1"
        for axis in range(leaf.ndim):
            for part in ("length", "stride"):
                self._add(f"%{part}_at{at}_{axis} = getelementptr i64, ptr %{part}s{at}, i64 {axis}")
                self._add(f"%{part}{at}_{axis} = load i64, ptr %{part}_at{at}_{axis}")
            self._add(f"%items{at}_{axis} = mul i64 {items}, %length{at}_{axis}")
            items = f"%items{at}_{axis}"

    def _scalar(self, at: str, leaf: Scalar, name: str, number: int, kind: str) -> None:
        """Add the code that converts a number to an LLVM type."""
        if leaf.kind == "bool":
            self._add(f"%wide{at} = call i32 @PyObject_IsTrue(ptr %{name})", f"%told{at} = icmp sge i32 %wide{at}, 0")
            self._require(f"%told{at}", number)
            self._add(f"%value{at} = trunc i32 %wide{at} to {kind}")
        elif leaf.kind == "float64":
            self._add(
                f"%type_at{at} = getelementptr i8, ptr %{name}, i64 {TYPE}",
                f"%type{at} = load ptr, ptr %type_at{at}",
                f"%real{at} = call i32 @PyType_IsSubtype(ptr %type{at}, ptr @PyFloat_Type)",
                f"%whole{at} = call i32 @PyType_IsSubtype(ptr %type{at}, ptr @PyLong_Type)",
                f"%either{at} = or i32 %real{at}, %whole{at}",
                f"%number{at} = icmp ne i32 %either{at}, 0",
            )
            self._require(f"%number{at}", number)
            self._add(f"%value{at} = call double @PyFloat_AsDouble(ptr %{name})")
            self._no_error(at, number)
        else:
            self._add(f"%value{at} = call i64 @PyLong_AsLongLong(ptr %{name})")
            self._add(f"%minus_one{at} = icmp eq i64 %value{at}, -1")
            self._add(f"br i1 %minus_one{at}, label %check{at}, label %converted{at}")
            self._label(f"check{at}")
            self._no_error(at, number)
            self._add(f"br label %converted{at}")
            self._label(f"converted{at}")

    def _no_error(self, at: str, number: int) -> None:
        """Give up the attempt where a conversion failed."""
        self._add(f"%error{at} = call ptr @PyErr_Occurred()", f"%clean{at} = icmp eq ptr %error{at}, null")
        self._require(f"%clean{at}", number)

    def _result(self, export: Export, number: int) -> None:
        """Add the code that returns the result as an object."""
        if export.result is None:
            self._add("call void @Py_IncRef(ptr @_Py_NoneStruct)", "ret ptr @_Py_NoneStruct")
            return
        kinds = (export.result,) if isinstance(export.result, str) else export.result
        place = 0
        for at, kind in enumerate(kinds):
            llvm_type, size = _SIZES_OF_RESULTS[kind]
            place = -(-place // size) * size
            part = f"part{number}_{at}"
            self._add(
                f"%place_{part} = getelementptr i8, ptr %out, i64 {place}", f"%{part} = load {llvm_type}, ptr %place_{part}"
            )
            place += size
            self._object(part, kind, llvm_type)
        if isinstance(export.result, str):
            self._add(f"ret ptr %object_part{number}_0")
            return
        self._add(f"%tuple{number} = call ptr @PyTuple_New(i64 {len(kinds)})")
        for at in range(len(kinds)):
            self._add(
                f"%set{number}_{at} = call i32 @PyTuple_SetItem(ptr %tuple{number}, i64 {at}, ptr %object_part{number}_{at})"
            )
        self._add(f"ret ptr %tuple{number}")

    def _object(self, part: str, kind: str, llvm_type: str) -> None:
        """Add the code that makes an object of a number."""
        wide = part
        if kind == "float32":
            self._add(f"%wide_{part} = fpext float %{part} to double")
            wide = f"wide_{part}"
        elif llvm_type in ("i8", "i16", "i32"):
            self._add(f"%wide_{part} = {'zext' if kind == 'bool' else 'sext'} {llvm_type} %{part} to i64")
            wide = f"wide_{part}"
        if kind.startswith("float"):
            self._add(f"%object_{part} = call ptr @PyFloat_FromDouble(double %{wide})")
        else:
            makers = {"bool": "PyBool_FromLong", "uint64": "PyLong_FromUnsignedLongLong"}
            self._add(f"%object_{part} = call ptr @{makers.get(kind, 'PyLong_FromLongLong')}(i64 %{wide})")
