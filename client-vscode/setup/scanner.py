"""How does the scanner in C get into the extension for a platform?

zig is a C compiler for all of them, with their C libraries (`scanner-tools.txt`; 100 MB, once). A
scanner is built once of each source, looked at, and kept in the cache folder. It needs the headers
of the Python that this runs with: those of the limited interface are the same on each platform, but
for `pyconfig.h`, which stands in `server/native/any_platform`.
"""

from __future__ import annotations

import hashlib
import platform
import runpy
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from setup import binaries
from setup.cache import cache_folder, install_once
from setup.libraries import Library
from setup.python_environment import ROOT
from setup.step import SetupFailed, environment_with, run_step
from setup.wheels import TARGETS, Target

WAYS = ("zig", "host", "none")
"""For each target; by this machine's compiler for its own target, to try something; not at all."""
TOOLS = Path(__file__).with_name("scanner-tools.txt")
_NATIVE = ROOT / "server" / "native"
_SOURCE = _NATIVE / "scan.c"
_CONFIG = _NATIVE / "any_platform" / "pyconfig.h"
_MADE_OF = (_SOURCE, _CONFIG, TOOLS, Path(__file__), Path(binaries.__file__))
_OPTIONS = ("-std=c11", "-O3", "-g0", "-s", "-shared", "-fvisibility=hidden", "-Werror")
_ROUNDS = "300"
_NOTICES = ("LICENSE", "lib/libc/mingw/COPYING")
"""Of what zig puts into a module for Windows: its own parts, and those of mingw-w64."""


def module_of(target: Target) -> str:
    """The name of the file beside the modules of the package ``forkpoint``."""
    return f"_scan{target.abi3}"


def scanner_for(target: Target, way: str) -> tuple[bytes | None, list[Library]]:
    """The scanner of a target, and whose work is in it besides ours; None: it does without.

    Raises:
        SetupFailed: it cannot be built, or is not what the platform loads.
    """
    if way == "none":
        return None, []
    if way == "host":
        return _by_host(target), []
    folder = _by_zig(target)
    return (folder / module_of(target)).read_bytes(), _carried(folder, target)


def is_own(target: Target) -> bool:
    """Whether this Python is one of the target's."""
    suffix = target.suffix.format("{}{}".format(*sys.version_info))
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower())
    is_same = (machine or platform.machine()) == target.triple.split("-")[0]
    return suffix == EXTENSION_SUFFIXES[0] and is_same


def _by_host(target: Target) -> bytes | None:
    if not is_own(target):
        print(f"  {target.name} goes without the scanner in C: it is not for this machine")
        return None
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / module_of(target)
        if problem := _host_build(module):
            print(f"  {target.name} goes without the scanner in C: {problem}")
            return None
        _try(target, module, ())
        return module.read_bytes()


def _host_build(module: Path) -> str | None:
    """Build it as an installation does; why there is none, or None."""
    return runpy.run_path(str(_NATIVE / "build.py"))["build"](module)


def _by_zig(target: Target) -> Path:
    include = Path(sysconfig.get_path("include"))
    version = include / "patchlevel.h"
    if not version.is_file():
        raise SetupFailed(
            f"{target.name}: this Python has no headers (Debian: apt install python3-dev). "
            "With --scanner none the extension goes without the scanner in C."
        )
    key = hashlib.sha256(b"\0".join(each.read_bytes() for each in (*_MADE_OF, version)))
    name = f"scanner-{target.name}-{key.hexdigest()[:16]}"
    return install_once(name, lambda folder: _build(target, folder, include))


def _build(target: Target, folder: Path, include: Path) -> None:
    tools = ensure_tools()
    module = folder / module_of(target)
    with tempfile.TemporaryDirectory() as scratch:
        headers = copy_headers(include, Path(scratch) / "include")
        linked = _linked(target, tools, Path(scratch))
        # Names without folders, so that none gets into the file.
        command = ["cc", "-target", target.triple, *_OPTIONS, f'-DDIGEST="{_digest()}"']
        command += [f"-I{headers}", _SOURCE, "-o", module.name, *linked]
        _zig(f"the scanner in C for {target.name}", tools, command, folder)
    for left in set(folder.iterdir()) - {module}:
        left.unlink()
    _look_at(target, module, tools)
    if is_own(target):
        _compare(target, module)
    for notice in _NOTICES if _is_for_windows(target) else ():
        shutil.copy(tools / "ziglang" / notice, folder)


def copy_headers(include: Path, to: Path) -> Path:
    """Copy a Python's headers, but for what they say of the machine that it runs on."""
    shutil.copytree(include, to, ignore=shutil.ignore_patterns("pyconfig.h", "internal"))
    shutil.copy(_CONFIG, to)
    return to


def _digest() -> str:
    return runpy.run_path(str(_NATIVE / "build.py"))["digest_of_source"]()


def _is_for_windows(target: Target) -> bool:
    return "windows" in target.triple


def _linked(target: Target, tools: Path, scratch: Path) -> list[str | Path]:
    """What it is linked with: the Python that loads it, which is known by name on Windows alone."""
    if "macos" in target.triple:
        return ["-undefined", "dynamic_lookup", f"-Wl,-install_name,@rpath/{module_of(target)}"]
    if not _is_for_windows(target):
        return ["-fPIC"]
    names = _names_of_python(tools)
    definition, library = scratch / "python3.def", scratch / "python3.lib"
    lines = [f"{name} DATA" if _is_data(name) else name for name in sorted(names)]
    definition.write_text("\n".join(["LIBRARY python3.dll", "EXPORTS", *lines, ""]))
    machine = "arm64" if target.triple.startswith("aarch64") else "i386:x86-64"
    command = ["dlltool", "-m", machine, "-d", definition, "-l", library]
    _zig("the names of python3.dll", tools, command, scratch)
    return [library]


def _names_of_python(tools: Path) -> set[str]:
    """What the scanner takes from Python: it takes the same everywhere, and Linux does not ask."""
    linux = TARGETS["linux-x64"]
    return binaries.of_python(_read(_by_zig(linux) / module_of(linux), tools))


def _is_data(name: str) -> bool:
    return name.startswith("PyExc_") or name.endswith(("Struct", "_Type"))


def _look_at(target: Target, module: Path, tools: Path) -> None:
    binary = _read(module, tools)
    found = [*binaries.flaws(binary, target.triple)]
    found += [f"It uses {name}." for name in binaries.unstable(binaries.of_python(binary))]
    if found:
        raise SetupFailed(f"The scanner in C for {target.name}: {' '.join(found)}")


def _read(module: Path, tools: Path) -> binaries.Binary:
    if str(tools) not in sys.path:
        sys.path.append(str(tools))
    return binaries.read(module)


def _compare(target: Target, module: Path) -> None:
    """Let it answer beside the one of this machine's compiler, if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / module.name
        _try(target, module, () if _host_build(other) else (other,))


def _try(target: Target, module: Path, others: Iterable[Path]) -> None:
    script = ROOT / "tests" / "scan_mutations.py"
    command = [sys.executable, script, module, _ROUNDS, *others]
    run_step(f"the scanner in C for {target.name}, tried", command, ROOT)


def _carried(folder: Path, target: Target) -> list[Library]:
    if not _is_for_windows(target):
        return []
    texts = tuple((folder / Path(each).name).read_text(encoding="utf-8") for each in _NOTICES)
    [pin] = [line for line in TOOLS.read_text().split() if line.startswith("ziglang==")]
    return [Library("ziglang", pin.split("==")[1], "MIT AND ZPL-2.1", texts, ())]


def ensure_tools() -> Path:
    """The folder with zig and what looks at modules, installed if it is not there."""
    version = "{}.{}".format(*sys.version_info)
    key = hashlib.sha256(TOOLS.read_bytes()).hexdigest()[:16]
    return install_once(f"scanner-tools-{version}-{key}", _install)


def _install(folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--no-compile", "--only-binary", ":all:", "--require-hashes"]
    run_step("zig", [*pip, "--target", folder, "--requirement", TOOLS], ROOT)


def _zig(what: str, tools: Path, arguments: list[str | Path], cwd: Path) -> None:
    env = environment_with()
    env["PYTHONPATH"] = str(tools)
    env["ZIG_GLOBAL_CACHE_DIR"] = env["ZIG_LOCAL_CACHE_DIR"] = str(cache_folder() / "zig-built")
    run_step(what, [sys.executable, "-m", "ziglang", *arguments], cwd, env)
