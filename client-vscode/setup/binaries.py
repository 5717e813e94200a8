"""Is a module in machine code one that Python loads on a platform?

LIEF reads the three formats; abi3info knows what of Python's interface is stable since when.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ENTRY = "PyInit__scan"
OLDEST_PYTHON = (3, 11)
_FORMATS = {"linux": "ELF", "macos": "MACHO", "windows": "PE"}
_MACHINES = {"x86_64": "X86_64", "aarch64": "ARM64"}
_NEEDED = {
    "linux-gnu": r"libc\.so\.6",
    # What musl takes for itself, whatever Alpine calls the file.
    "linux-musl": r"libc\.so",
    "macos": r"/usr/lib/libSystem\.B\.dylib",
    # The last are the C library of Windows itself since 10.
    "windows-gnu": r"python3\.dll|KERNEL32\.dll|api-ms-win-crt-[a-z]+-l1-1-0\.dll",
}


@dataclass(frozen=True)
class Binary:
    """What the headers of a module say; names without the underscore that macOS puts before."""

    form: str
    """``ELF``, ``MACHO`` or ``PE``."""
    machine: str
    """``X86_64`` or ``ARM64``, or another of LIEF's names."""
    exported: frozenset[str]
    imported: frozenset[str]
    needed: frozenset[str]
    """Libraries."""
    glibc: tuple[int, ...] = ()
    """The oldest that has all that is imported; empty where nothing is said of one."""
    is_signed: bool = False


def read(path: Path) -> Binary:
    """Read the headers of a module; LIEF must be on the path.

    Raises:
        ValueError: it is none.
    """
    import lief

    # What it cannot read of one, it says; what is asked here, it reads or fails.
    lief.logging.disable()
    found = lief.parse(path)
    if isinstance(found, lief.MachO.FatBinary):
        found = found.at(0)
    if found is None:
        raise ValueError(f"{path.name} is no module.")
    form = str(found.format).rpartition(".")[2]
    machine = str(found.abstract.header.architecture).rpartition(".")[2]
    exported = frozenset(_plain(str(each.name), form) for each in found.exported_functions)
    imported = frozenset(_plain(name, form) for name in _imported(found, form))
    needed = frozenset(str(getattr(each, "name", each)) for each in _libraries(found, form))
    is_signed = form == "MACHO" and found.has_code_signature
    return Binary(form, machine, exported, imported, needed, _glibc(found, form), is_signed)


def _imported(found: object, form: str) -> Iterator[str]:
    if form == "PE":
        yield from (entry.name for library in found.imports for entry in library.entries)
    elif form == "ELF":
        yield from (each.name for each in found.dynamic_symbols if each.shndx == 0 and each.name)
    else:
        yield from (each.name for each in found.imported_symbols)


def _libraries(found: object, form: str) -> Iterator[object]:
    for each in found.libraries:
        # The first of a library for macOS is its own name.
        if form != "MACHO" or not str(each.command).endswith("ID_DYLIB"):
            yield each


def _glibc(found: object, form: str) -> tuple[int, ...]:
    if form != "ELF":
        return ()
    libraries = found.symbols_version_requirement
    asked = (of.name for library in libraries for of in library.get_auxiliary_symbols())
    versions = (name.removeprefix("GLIBC_").split(".") for name in asked if "GLIBC_" in name)
    return max((tuple(map(int, version)) for version in versions), default=())


def _plain(name: str, form: str) -> str:
    return name.removeprefix("_") if form == "MACHO" else name


def of_python(binary: Binary) -> set[str]:
    """What a module imports of Python."""
    return {name for name in binary.imported if name.startswith(("Py", "_Py"))}


def flaws(binary: Binary, triple: str) -> Iterator[str]:
    """Sentences about what keeps a platform from loading a module; none if it does.

    Args:
        binary: the module.
        triple: the platform, as zig calls it, with the glibc that is there, or the macOS.
    """
    machine, system, *more = re.split(r"[-.]", triple)
    if (binary.form, binary.machine) != (_FORMATS[system], _MACHINES[machine]):
        yield f"It is {binary.form} for {binary.machine}."
    if ENTRY not in binary.exported:
        yield f"It exports no {ENTRY}."
    library = "-".join([system, *more[:1]]) if system != "macos" else system
    for name in sorted(binary.needed):
        if not re.fullmatch(_NEEDED[library], name):
            yield f"It needs {name}."
    if library == "linux-gnu" and binary.glibc > tuple(map(int, more[1:])):
        yield f"It needs glibc {'.'.join(map(str, binary.glibc))}."
    if triple.startswith("aarch64-macos") and not binary.is_signed:
        yield "It is not signed, and such a Mac loads nothing that is not."


def unstable(names: set[str]) -> list[str]:
    """Those names of Python's that its stable interface does not have since the oldest Python."""
    from abi3info import DATAS, FUNCTIONS
    from abi3info.models import PyVersion, Symbol

    oldest = PyVersion(*OLDEST_PYTHON)
    known = {name: FUNCTIONS.get(Symbol(name)) or DATAS.get(Symbol(name)) for name in names}
    return sorted(name for name, of in known.items() if of is None or of.added > oldest)
