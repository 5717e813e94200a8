"""Which pictures does README show of the views, and what were they made from?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "client-vscode"
PICTURES = CLIENT / "media" / "screenshots"
FINGERPRINT = PICTURES / "made_from.json"
ICON = CLIENT / "media" / "icon.png"
OVERVIEW = "overview"
MOST_BYTES = 120_000
"""Of one picture: README loads all of them."""

_MANIFEST = CLIENT / "package.json"
_WORDS = CLIENT / "package.nls.json"
_DEMO = ROOT / "fixtures" / "demo"
_SHOWN_OF_DEMO = ("home", "codex", "workspace", "ages.json", "codex-ages.json")
_DRIVER = Path(__file__).with_name("take_screenshots.mjs")


def views() -> list[str]:
    """The last part of each view's id, as the manifest declares them."""
    return [view["id"].rpartition(".")[2] for view in _declared()]


def fingerprint() -> dict[str, str]:
    """What the pictures show, as a hash of each part: one that changed asks for new pictures."""
    version = json.loads(_MANIFEST.read_bytes())["version"]
    words = json.loads(_WORDS.read_bytes())
    names = [(view["id"], words[view["name"].strip("%")]) for view in _declared()]
    return {
        "version": version,
        "views": _hash([json.dumps(names).encode()]),
        "demo": _hash(_contents_of_demo()),
        "driver": _hash([_DRIVER.read_bytes()]),
    }


def _declared() -> list[dict[str, str]]:
    containers = json.loads(_MANIFEST.read_bytes())["contributes"]["views"]
    return [view for views in containers.values() for view in views]


def _contents_of_demo() -> Iterator[bytes]:
    for name in _SHOWN_OF_DEMO:
        path = _DEMO / name
        below = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in below:
            if file.is_file() and "__pycache__" not in file.parts:
                yield file.relative_to(_DEMO).as_posix().encode()
                yield file.read_bytes()


def _hash(parts: Iterator[bytes] | list[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()[:16]
