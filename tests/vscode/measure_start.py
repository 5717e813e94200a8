"""How soon the sessions are seen in VS Code, and in how much memory.

    python tests/vscode/measure_start.py [ROUNDS]

Opens the demo in that many windows (default 5) of a real VS Code, one after the other, and prints
medians: from the click on the icon to the first row, VS Code's own figures of the activation, what
the extension host grew by, and the server. Nothing is expected of the numbers. Linux only; needs
the packaged client, as ``run.py`` does.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "client-vscode"))

from setup.chromium import ensure_chromium
from setup.client import install_packages
from setup.node import ensure_node24
from tests.bench.measuring import machine
from tests.vscode.run import HERE, OUT, vscode

_NEEDS = {"home": "demo", "settings": {}, "extension": {}}
_LONGEST_SECONDS = 600


def main(rounds: int) -> int:
    """Measure and print."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()
    install_packages("the driver's npm packages", HERE)
    with vscode(_NEEDS, OUT / "server") as (server, home):
        job = {
            "url": server.url,
            "out": str(OUT),
            "chromium": str(ensure_chromium()),
            "configDir": str(home.config_dir),
            "workspace": str(home.workspace),
            "rounds": rounds,
        }
        command = [str(ensure_node24() / "node"), "measure_start.mjs", json.dumps(job)]
        done = subprocess.run(
            command, cwd=HERE, stdout=subprocess.PIPE, text=True, timeout=_LONGEST_SECONDS
        )
    if done.returncode != 0:
        return done.returncode
    _print(json.loads(done.stdout))
    return 0


def _print(windows: list[dict[str, Any]]) -> None:
    print(machine())
    seen = [window["paintedMs"] for window in windows]
    print(f"click to first row: {median(seen):,.0f} ms ({', '.join(map(str, seen))})")
    for window in windows:
        print(f"activation: {window['activation']}")
    grown = [window["hostAfter"] - window["hostBefore"] for window in windows]
    before = median(window["hostBefore"] for window in windows)
    print(f"extension host: {_mb(before)} before, {_mb(median(grown))} more after")
    print(f"server: {_mb(median(window['server'] or 0 for window in windows))}")


def _mb(size: float) -> str:
    return f"{size / 1e6:,.1f} MB"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
