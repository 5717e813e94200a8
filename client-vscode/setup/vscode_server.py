"""How is the real VS Code started on 127.0.0.1, and how is all of it ended?

A profile is one folder that holds everything VS Code keeps: ``user`` (settings, logs),
``extensions``, ``data``. It should have a short path, since VS Code puts Unix sockets near it and
those allow about 100 characters.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from setup.cache import is_oldest
from setup.code_server import ensure_code_server
from setup.node import ensure_node24
from setup.step import SetupFailed, run_step

QUIET_SETTINGS: Mapping[str, object] = {
    "chat.disableAIFeatures": True,
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "extensions.ignoreRecommendations": True,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "update.showReleaseNotes": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
    "workbench.welcomePage.walkthroughs.openOnInstall": False,
}
"""A window that shows what was asked for and looks nothing up."""

_SECONDS_TO_START = 60
_SECONDS_TO_END = 5
_LISTENS = re.compile(r"Extension host agent listening on (\d+)")


@dataclass(frozen=True)
class RunningServer:
    """A VS Code server; ``url`` opens the workspace and carries the secret that lets one in."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    def stop(self) -> None:
        """End the server with its extension hosts and language servers, and wait for all of them.

        They share its process group. Left alone, an extension host whose page was lost would
        live for hours, waiting for it.
        """
        group = self.process.pid
        for sent in (signal.SIGTERM, signal.SIGKILL):
            _signal_group(group, sent)
            end = time.monotonic() + _SECONDS_TO_END
            while _signal_group(group, 0) and time.monotonic() < end:
                self.process.poll()  # an ended leader stays in its group until it is asked for
                time.sleep(0.05)
        self.process.wait()


def write_settings(
    profile: Path, settings: Mapping[str, object], machine: Mapping[str, object]
) -> None:
    """Write the profile's settings.

    Args:
        profile: the profile's folder.
        settings: settings of window scope.
        machine: settings of scope ``machine`` or ``machine-overridable``, such as an interpreter. A
            server reads those from ``Machine`` and ignores them in ``User``; desktop VS Code has no
            ``Machine`` and reads them from ``User``.
    """
    for folder, values in (("User", {**settings, **machine}), ("Machine", machine)):
        path = profile / "user" / folder / "settings.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values, indent=2), encoding="utf-8")


def install_extension(profile: Path, vsix: Path) -> None:
    """Install a packaged extension into the profile."""
    command = [*_program(profile), "--install-extension", vsix, "--force"]
    run_step(f"{vsix.name} into VS Code", command, profile, inherited_environment())


def inherited_environment() -> dict[str, str]:
    """This process's environment without what a surrounding VS Code put there; no gallery."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("VSCODE_")}
    kept.pop("ELECTRON_RUN_AS_NODE", None)
    return {**kept, "EXTENSIONS_GALLERY": "{}"}


def start(workspace: Path, profile: Path, port: int, env: Mapping[str, str]) -> RunningServer:
    """Start the server and wait until it listens on 127.0.0.1.

    Args:
        workspace: the folder its URL opens.
        profile: the profile's folder; the log ``server.log`` goes there too.
        port: 0 takes a free one.
        env: the server's whole environment, and so that of the extensions.

    Raises:
        SetupFailed: the port is taken, or the server ended or did not listen within a minute.
    """
    _check_port(port)
    token = secrets.token_urlsafe(16)
    secret = profile / "token"
    secret.touch(mode=0o600)
    secret.write_text(token)
    log = profile / "server.log"
    options = ["--host", "127.0.0.1", "--port", str(port), "--connection-token-file", str(secret)]
    options += ["--telemetry-level", "off"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*_program(profile), *options],
            cwd=profile,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    server = RunningServer(process, "", log)
    try:
        taken = _wait_for_port(server)
    except BaseException:
        server.stop()
        raise
    url = f"http://127.0.0.1:{taken}/?folder={quote(str(workspace))}&tkn={token}"
    return RunningServer(process, url, log)


def _program(profile: Path) -> list[str]:
    vscode = ensure_code_server()
    program = [ensure_node24() / "node", vscode / "out" / "server-main.js"]
    if is_oldest():
        program[1:] = [Path(__file__).with_name("oldest_server.cjs"), vscode]
    folders = {"server-data-dir": "data", "user-data-dir": "user", "extensions-dir": "extensions"}
    options = [f"--{option}={profile / folder}" for option, folder in folders.items()]
    return [*map(str, program), "--accept-server-license-terms", *options]


def _check_port(port: int) -> None:
    """Fail when the port is taken: VS Code's server would only log that, and stay."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            raise SetupFailed(f"Port {port} cannot be used: {error}.") from error


def _wait_for_port(server: RunningServer) -> int:
    end = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < end:
        said = server.log.read_text(errors="replace")
        if found := _LISTENS.search(said):
            return int(found[1])
        if server.process.poll() is not None:
            raise SetupFailed(f"VS Code's server did not start:\n{said[-2000:]}")
        time.sleep(0.1)
    raise SetupFailed(f"VS Code's server did not listen within {_SECONDS_TO_START} s.")


def _signal_group(group: int, sent: int) -> bool:
    """Send a signal (0 sends none) to a process group; False when nobody is left in it."""
    try:
        os.killpg(group, sent)
    except ProcessLookupError:
        return False
    return True
