"""How does a real VS Code get onto a machine that has only npm?

code-server is VS Code's own server and browser client as an npm package. Its install script would
compile much that is never loaded; the parts that are needed are fetched and built here by hand.
Facts found by trying, for code-server 4.139.1 (VS Code 1.139.1):

- ``npm ci`` refuses in ``lib/vscode`` because the shrinkwrap there lacks packages; ``npm install``
  works.
- node-pty, the file watcher, ripgrep and argon2 come as binaries. Only spdlog and the watchdog are
  compiled; given the headers of the Node package, node-gyp downloads none.
- Without spdlog VS Code works, but prints a stack trace and writes no logs of output channels.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from setup.cache import install_once, version_of
from setup.node import QUIET, ensure_node24, npm, package_name
from setup.step import SetupFailed, environment_with, run_step

_COMPILED = ("@vscode/spdlog", "@vscode/native-watchdog")

# Chat back ends and other platforms' binaries: half of the disk space, and nothing here loads them.
_NEVER_LOADED = (
    "node_modules/@github/copilot-sdk-linux-*",
    "node_modules/@microsoft/mxc-sdk/bin",
    "extensions/copilot",
    "extensions/mermaid-markdown-features",
)
_PER_PLATFORM = ("node_modules/@vscode/ripgrep-universal/bin", "node_modules/node-pty/prebuilds")


def ensure_code_server() -> Path:
    """Folder of the VS Code inside code-server, the one with ``out/server-main.js``.

    Raises:
        SetupFailed: npm is missing, an installation failed, or this is not Linux.
    """
    node_bin = ensure_node24()
    if sys.platform != "linux":
        raise SetupFailed(
            "VS Code is not installed, and VS Code in a browser is set up on Linux only: "
            "install VS Code and its `code` command."
        )
    found = install_once(
        f"code-server-{version_of('code-server')}", lambda folder: _install(folder, node_bin)
    )
    return _vscode(found)


def _vscode(folder: Path) -> Path:
    return folder / "node_modules" / "code-server" / "lib" / "vscode"


def _install(folder: Path, node_bin: Path) -> None:
    env = environment_with(node_bin)
    install = [npm(), "install", *QUIET]
    package = f"code-server@{version_of('code-server')}"
    run_step(package, [*install, "--prefix", folder, package], folder, env)
    vscode = _vscode(folder)
    dependencies = [*install, "--omit=dev", "--legacy-peer-deps"]
    run_step("VS Code's own dependencies", dependencies, vscode, env)
    _compile(vscode, {**env, "npm_config_nodedir": str(node_bin.parent)})
    _link_scripts(vscode)
    _trim(vscode)


def _compile(vscode: Path, env: dict[str, str]) -> None:
    lacking = [tool for tool in ("g++", "make") if shutil.which(tool) is None]
    if lacking:
        print(f"  {' and '.join(lacking)} missing: VS Code will write no logs of output channels")
        return
    env["npm_config_python"] = sys.executable
    rebuild = [npm(), "rebuild", "--loglevel=error", *_COMPILED]
    run_step("VS Code's log module (compiled)", rebuild, vscode, env)


def _link_scripts(vscode: Path) -> None:
    """Make the two links that the package's own install script would make."""
    for link, script in (
        ("bin/remote-cli/code-server", "code-linux.sh"),
        ("bin/helpers/browser.sh", "browser-linux.sh"),
    ):
        (vscode / link).unlink(missing_ok=True)
        (vscode / link).symlink_to(script)


def _trim(vscode: Path) -> None:
    kept = str(package_name()).removeprefix("node-")
    doomed = [path for pattern in _NEVER_LOADED for path in vscode.glob(pattern)]
    for folder in _PER_PLATFORM:
        doomed += [path for path in (vscode / folder).glob("*") if path.name != kept]
    for path in doomed:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
