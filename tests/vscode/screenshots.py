"""Take the pictures that README shows: ``python3 tests/vscode/screenshots.py``.

Opens the demo in a real VS Code, as a person would, and writes a picture of each view, with a few
colours, into ``client-vscode/media/screenshots``; also draws the extension's icon. Needs what
``run.py`` needs, and the packaged client (``npm run build`` and ``npm run package``). Where a
picture is larger than it may be, nothing is written.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "client-vscode"))

from PIL import Image

from setup.chromium import ensure_chromium
from setup.client import install_packages
from setup.node import ensure_node24
from setup.step import SetupFailed
from setup.vscode_server import RunningServer
from tests.vscode.homes import Home
from tests.vscode.pictures import FINGERPRINT, ICON, MOST_BYTES, PICTURES, fingerprint, views
from tests.vscode.run import HERE, OUT, vscode

_COLOURS = 160
_LONGEST_SECONDS = 600
_NEEDS = {
    "home": "codex",
    "settings": {
        "breadcrumbs.enabled": False,
        "diffEditor.renderSideBySide": False,
        "editor.minimap.enabled": False,
        "editor.scrollbar.vertical": "hidden",
        "window.commandCenter": False,
        "workbench.layoutControl.enabled": False,
    },
    "extension": {},
}


def main() -> int:
    """Take, compress and keep them; 0 when all are there."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()
    try:
        install_packages("the driver's npm packages", HERE)
        with vscode(_NEEDS, OUT / "server") as (server, home):
            _take(server, home)
    except SetupFailed as failure:
        print(failure)
        return 1
    shutil.move(OUT / ICON.name, ICON)
    return _keep(OUT)


def _take(server: RunningServer, home: Home) -> None:
    job = {
        "url": server.url,
        "out": str(OUT),
        "chromium": str(ensure_chromium()),
        "configDir": str(home.config_dir),
        "workspace": str(home.workspace),
        "icon": str(ICON.with_suffix(".svg")),
        "views": views(),
    }
    command = [str(ensure_node24() / "node"), "take_screenshots.mjs", json.dumps(job)]
    done = subprocess.run(command, cwd=HERE, timeout=_LONGEST_SECONDS)
    if done.returncode != 0:
        raise SetupFailed(f"The browser's driver ended with {done.returncode}.")


def _keep(taken: Path) -> int:
    with tempfile.TemporaryDirectory() as folder:
        for picture in sorted(taken.glob("*.png")):
            _compress(picture, Path(folder, picture.name))
        small = sorted(Path(folder).iterdir())
        sizes = {picture.name: picture.stat().st_size for picture in small}
        for name, size in sizes.items():
            print(f"{name}: {size:,} bytes")
        if any(size > MOST_BYTES for size in sizes.values()):
            print(f"At most {MOST_BYTES:,} bytes are allowed; nothing was written.")
            return 1
        shutil.rmtree(PICTURES, ignore_errors=True)
        shutil.copytree(folder, PICTURES)
    FINGERPRINT.write_text(json.dumps(fingerprint(), indent=2) + "\n", encoding="utf-8")
    return 0


def _compress(picture: Path, into: Path) -> None:
    """Few colours look the same on a screen of text, and take a third of the bytes."""
    with Image.open(picture) as whole:
        # The way that keeps colours of few pixels, such as the green of an icon.
        way = Image.Quantize.MAXCOVERAGE
        few = whole.convert("RGB").quantize(_COLOURS, method=way, dither=Image.Dither.NONE)
        few.save(into, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
