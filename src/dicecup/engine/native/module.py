"""From the module that Numba made to an object file for one target.

The functions that callers see are added: `python_calls` writes those of the library, `wasm_calls`
those of the WebAssembly module, which also gets `wasm.ll`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm

from dicecup.engine.native import python_calls, wasm_calls
from dicecup.engine.native.layout import Export

WASM_CODE: Final = Path(__file__).parent / "wasm.ll"


@dataclass(frozen=True, slots=True)
class Target:
    """What an object file is for."""

    triple: str
    cpu: str = ""
    features: str = ""

    @property
    def wasm(self) -> bool:
        """Whether it is for WebAssembly."""
        return self.triple.startswith("wasm32")

    def machine(self) -> Any:
        """Return the code generator."""
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        found = llvm.Target.from_triple(self.triple)
        if self.wasm:
            return found.create_target_machine(opt=3, features=self.features, reloc="pic")
        return found.create_target_machine(cpu=self.cpu, features=self.features, opt=3, reloc="pic", codemodel="default")


def object_file(bitcode: bytes, exports: Sequence[Export], target: Target) -> bytes:
    """Return the object file of these exports for a target."""
    machine = target.machine()
    module = llvm.parse_bitcode(bitcode)
    code = {export.code for export in exports}
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "internal"
    signatures = {name: [str(argument.type) for argument in module.get_function(name).arguments] for name in code}
    calls = wasm_calls if target.wasm else python_calls
    code_of_wasm = [WASM_CODE.read_text(encoding="utf-8")] if target.wasm else []
    added = "\n".join((*code_of_wasm, *calls.functions(exports, signatures)))
    text = f"{_without_declarations(_retargeted(str(module)), added)}\n{added}"
    module = llvm.parse_assembly(f'target triple = "{target.triple}"\ntarget datalayout = "{machine.target_data}"\n{text}')
    module.verify()
    _clean(module, machine)
    return bytes(machine.emit_object(module))


def _retargeted(text: str) -> str:
    """Return the text of a module without what belongs to another processor."""
    text = re.sub(r"^target (triple|datalayout) = .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r'"(target-cpu|target-features|tune-cpu|probe-stack)"="[^"]*"', "", text)
    return re.sub(r"^(@.* =) common ", r"\1 internal ", text, flags=re.MULTILINE)


def _without_declarations(text: str, added: str) -> str:
    """Return the text of a module without the declarations that the added text repeats."""
    names = set(re.findall(r"^(?:declare|define) .*?@([\w.]+)\(", added, flags=re.MULTILINE))
    names |= set(re.findall(r"^@(\w+) =", added, flags=re.MULTILINE))
    known = "|".join(map(re.escape, names))
    return re.sub(rf"^(?:declare [^\n]*@(?:{known})\(|@(?:{known}) = external)[^\n]*$", "", text, flags=re.MULTILINE)


def _clean(module: Any, machine: Any) -> None:
    """Remove what no export uses."""
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, builder)
