"""How does ``.venv`` get the pinned packages and Forkpoint itself?"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from setup.step import SetupFailed, run_step

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""

_OLDEST = (3, 11)
_FOLDER = ROOT / ".venv"
_BIN = _FOLDER / ("Scripts" if os.name == "nt" else "bin")


def ensure_python_environment(requirements: str) -> Path:
    """Return the Python of ``.venv`` with the requirements and Forkpoint (editable) installed.

    What was installed is remembered by a digest of the files that say what to install, so a second
    call is free.

    Args:
        requirements: name of a requirements file in the checkout.

    Raises:
        SetupFailed: Python is too old, has no ``venv``, or pip failed.
    """
    if sys.version_info < _OLDEST:
        raise SetupFailed("Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ".")
    python = _BIN / ("python.exe" if os.name == "nt" else "python")
    if not python.exists():
        _create()
    stamp = _FOLDER / f"installed-{Path(requirements).stem}"
    digest = _digest(requirements)
    if not stamp.is_file() or stamp.read_text() != digest:
        _install(python, requirements)
        stamp.write_text(digest)
    return python


def _create() -> None:
    command = [sys.executable, "-m", "venv", "--clear", _FOLDER]
    try:
        run_step("virtual environment .venv", command, ROOT)
    except SetupFailed as failure:
        raise SetupFailed(
            f"{failure}\nOn Debian and Ubuntu the module is a package: apt install python3-venv"
        ) from failure


def _install(python: Path, requirements: str) -> None:
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run_step(f"Python packages of {requirements}", [*pip, "-r", requirements], ROOT)
    run_step("Forkpoint's server", [*pip, "--no-deps", "--editable", "."], ROOT)


def _digest(requirements: str) -> str:
    names = ("requirements*.txt", "server/native/*.[cp]*")
    files = [ROOT / "pyproject.toml", *(file for name in names for file in sorted(ROOT.glob(name)))]
    parts = [requirements.encode(), sys.version.encode(), str(ROOT).encode()]
    return hashlib.sha256(b"\0".join(parts + [path.read_bytes() for path in files])).hexdigest()
