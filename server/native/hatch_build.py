"""Adds the scanner in C to what hatchling builds where it can; else the package is pure."""

from __future__ import annotations

import runpy
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ScannerHook(BuildHookInterface[Any]):
    """Runs before a wheel or an editable install is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the scanner; a wheel with it is for this platform, and any Python from 3.11 on."""
        of_build = runpy.run_path(str(Path(self.root) / "server" / "native" / "build.py"))
        problem = of_build["build"]()
        if problem is not None:
            self.app.display_info(f"Without the scanner in C: {problem}")
            return
        if version == "editable":
            return
        built = Path(of_build["BUILT"])
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{platform}"
        build_data["force_include"][str(built)] = f"forkpoint/{built.name}"
