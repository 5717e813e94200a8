"""Which files do the wheels of a target become, and are they all there?

All wheels are unpacked into one folder: modules with native parts have the Python they are for in
their names, so that those for several lie side by side.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

from setup.step import SetupFailed
from setup.wheels import PYTHONS, Target

NATIVE_MODULES = ("msgspec/_core", "orjson/orjson")
"""One for each Python."""
STABLE_MODULES = ("watchfiles/_rust_notify",)
"""One for all."""
_NATIVE_ENDS = (".so", ".pyd", ".dll", ".dylib")
_LEFT_OUT = (".pyi", ".typed", ".c", ".h")


@dataclass(frozen=True)
class Library:
    """What a wheel says of itself, for the list of what is carried."""

    name: str
    version: str
    licence: str
    """An SPDX expression, or the words that its author chose."""
    texts: tuple[str, ...]
    """Its licences, whole."""
    hashes: tuple[str, ...]
    """SHA-256 of its wheels."""


def merged(wheels: list[Path]) -> tuple[dict[str, bytes], list[Library]]:
    """Merge wheels; returns files by path, and the libraries.

    Raises:
        SetupFailed: two wheels have different files of one name, or one has no licence.
    """
    files: dict[str, bytes] = {}
    libraries: dict[str, Library] = {}
    for wheel in wheels:
        with ZipFile(wheel) as archive:
            content = {name: archive.read(name) for name in archive.namelist() if name[-1] != "/"}
        for name, data in content.items():
            if _is_needed(name) and files.setdefault(name, data) != data:
                raise SetupFailed(f"{wheel.name}: {name} is another file in another wheel.")
        library = _library(wheel, content)
        known = libraries.get(library.name)
        hashes = (*known.hashes, *library.hashes) if known else library.hashes
        libraries[library.name] = Library(**{**vars(library), "hashes": hashes})
    return files, list(libraries.values())


def flaws(files: set[str], target: Target | None) -> Iterator[str]:
    """Sentences about what a target lacks, or has and must not have; none if it is as it should."""
    natives = {name for name in files if name.endswith(_NATIVE_ENDS)}
    wanted: set[str] = set()
    if target:
        versions = [python.replace(".", "") for python in PYTHONS]
        wanted = {module + target.suffix.format(v) for module in NATIVE_MODULES for v in versions}
        wanted |= {module + target.abi3 for module in STABLE_MODULES}
    name = target.name if target else "universal"
    yield from (f"{name} lacks {each}." for each in sorted(wanted - natives))
    yield from (f"{name} has {each}, which is for others." for each in sorted(natives - wanted))
    tops = {PurePosixPath(each).parts[0] for each in files}
    packages = {top for top in tops if not top.endswith(".dist-info")}
    known = _PURE | ({*_OF_NATIVE, *target.beside} if target else set())
    yield from (f"{name} lacks {each}." for each in sorted(known - packages))
    yield from (f"{name} has {each}, which nobody needs." for each in sorted(packages - known))


_OF_NATIVE = ("msgspec", "orjson", "watchfiles")
_PURE = {"anyio", "attr", "attrs", "cattr", "cattrs", "idna", "lsprotocol", "pygls"}
_PURE |= {"typing_extensions.py"}


def _is_needed(name: str) -> bool:
    parts = PurePosixPath(name).parts
    if parts[0].endswith(".dist-info"):
        return parts[1] == "METADATA"
    return not (parts[0].endswith(".data") or name.endswith(_LEFT_OUT) or "tests" in parts)


def _library(wheel: Path, content: dict[str, bytes]) -> Library:
    [about] = [name for name in content if name.endswith(".dist-info/METADATA")]
    fields = Parser().parsestr(content[about].decode())
    folder = about.removesuffix("METADATA")
    texts = [data.decode() for name, data in content.items() if _is_licence(name, folder)]
    if not texts:
        raise SetupFailed(f"{wheel.name} brings no licence along.")
    return Library(
        name=fields["Name"],
        version=fields["Version"],
        licence=_licence_of(fields.get_all("Classifier", []), fields),
        texts=tuple(texts),
        hashes=(hashlib.sha256(wheel.read_bytes()).hexdigest(),),
    )


def _is_licence(name: str, folder: str) -> bool:
    word = PurePosixPath(name).name.upper()
    return name.startswith(folder) and word.startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE"))


def _licence_of(classifiers: list[str], fields: Message) -> str:
    named = [each.rsplit(" :: ", 1)[1] for each in classifiers if each.startswith("License ::")]
    return fields["License-Expression"] or fields["License"] or ", ".join(named)
