"""Which wheels does an extension for one platform carry, and how do they get here?

Those with native parts come one for each Python (or one for all, where their interface is the
stable one), those in Python alone once. Lock files beside this say what each must hash to.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from setup.cache import install_once
from setup.python_environment import ROOT
from setup.step import run_step

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
NATIVE = ("msgspec", "orjson", "watchfiles")
LOCKS = {name: Path(__file__).with_name(f"wheels-{name}.txt") for name in ("native", "pure")}


@dataclass(frozen=True)
class Target:
    """What VS Code calls a platform, and what wheels and modules of Python call it."""

    name: str
    platforms: tuple[str, ...]
    """The newest of each family; pip takes older ones of macOS, too."""
    suffix: str
    """How the name of a module for one Python ends: 311 in the place of {}."""
    triple: str
    """What zig calls it, with the oldest glibc or macOS that it is to run on."""
    abi3: str = ".abi3.so"
    """How it ends for the stable interface."""
    beside: tuple[str, ...] = ()
    """Folders of shared libraries that a wheel brings along."""


TARGETS = {
    target.name: target
    for target in (
        Target(
            "linux-x64",
            ("manylinux_2_17_x86_64", "manylinux_2_28_x86_64"),
            ".cpython-{}-x86_64-linux-gnu.so",
            "x86_64-linux-gnu.2.17",
        ),
        Target(
            "linux-arm64",
            ("manylinux_2_17_aarch64", "manylinux_2_28_aarch64"),
            ".cpython-{}-aarch64-linux-gnu.so",
            "aarch64-linux-gnu.2.17",
        ),
        Target(
            "alpine-x64",
            ("musllinux_1_1_x86_64", "musllinux_1_2_x86_64"),
            ".cpython-{}-x86_64-linux-musl.so",
            "x86_64-linux-musl",
            beside=("watchfiles.libs",),
        ),
        Target(
            "darwin-arm64", ("macosx_12_0_arm64",), ".cpython-{}-darwin.so", "aarch64-macos.12.0"
        ),
        Target("darwin-x64", ("macosx_12_0_x86_64",), ".cpython-{}-darwin.so", "x86_64-macos.12.0"),
        Target("win32-x64", ("win_amd64",), ".cp{}-win_amd64.pyd", "x86_64-windows-gnu", ".pyd"),
        Target("win32-arm64", ("win_arm64",), ".cp{}-win_arm64.pyd", "aarch64-windows-gnu", ".pyd"),
    )
}


def wheels_for(target: Target | None) -> list[Path]:
    """The wheels of a target, downloaded if they are not there; None: those in Python alone.

    Raises:
        SetupFailed: one does not exist, or is not the one that is locked.
    """
    folders = [_downloaded("pure", "any", ("any",), PYTHONS[:1])]
    if target:
        folders.append(_downloaded("native", target.name, target.platforms, PYTHONS))
    return sorted(wheel for folder in folders for wheel in folder.glob("*.whl"))


def _downloaded(kind: str, name: str, platforms: tuple[str, ...], pythons: tuple[str, ...]) -> Path:
    lock = LOCKS[kind]
    key = hashlib.sha256(lock.read_bytes()).hexdigest()[:16]
    locked = ("--require-hashes", "--requirement", str(lock))
    return install_once(
        f"wheels-{name}-{key}", lambda folder: _download(folder, name, platforms, pythons, locked)
    )


def _download(
    folder: Path, name: str, platforms: Sequence[str], pythons: Sequence[str], what: Sequence[str]
) -> None:
    """Have pip download wheels, without what they depend on.

    Raises:
        SetupFailed: one does not exist, or has another hash.
    """
    options = [word for platform in platforms for word in ("--platform", platform)]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--only-binary", ":all:", "--implementation", "cp"]
    pip += ["--dest", str(folder), *options, *what]
    for python in pythons:
        run_step(f"wheels for {name}, Python {python}", [*pip, "--python-version", python], ROOT)


def lock(folder: Path) -> None:
    """Write the lock files from the pins of ``requirements.txt``: all wheels of all targets."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").split()
    pins = {line.split("==")[0]: line for line in lines}
    native = [pins.pop(name) for name in NATIVE]
    pure = [*pins.values()]
    _download(folder / "pure", "any", ("any",), PYTHONS[:1], pure)
    targets = TARGETS.values()
    with ThreadPoolExecutor(len(targets)) as pool:
        jobs = [
            pool.submit(_download, folder / "native", each.name, each.platforms, PYTHONS, native)
            for each in targets
        ]
        for job in jobs:
            job.result()
    LOCKS["pure"].write_text(_locked(pure, folder / "pure"))
    LOCKS["native"].write_text(_locked(native, folder / "native"))


def _locked(wanted: list[str], folder: Path) -> str:
    hashes: dict[str, set[str]] = {}
    for wheel in folder.glob("*.whl"):
        name = wheel.name.split("-")[0].lower()
        hashes.setdefault(name, set()).add(hashlib.sha256(wheel.read_bytes()).hexdigest())
    lines: list[str] = []
    for pin in wanted:
        name = pin.split("==")[0].replace("-", "_").lower()
        lines.append(
            " \\\n".join([pin, *(f"    --hash=sha256:{each}" for each in sorted(hashes[name]))])
        )
    return "\n".join(lines) + "\n"
