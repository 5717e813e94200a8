"""The scanner in C that the extension for each platform carries: how it is built and looked at."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import sysconfig
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from forkpoint import native
from tests.fixture_paths import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "client-vscode"))

from setup import scanner
from setup.binaries import Binary, flaws, of_python
from setup.wheels import TARGETS

BUILD: dict[str, Any] = runpy.run_path(str(REPOSITORY / "server" / "native" / "build.py"))
EXPORTED, IMPORTED = frozenset({"PyInit__scan"}), frozenset({"PyList_New", "_Py_Dealloc", "memchr"})


def binary(form: str, machine: str, *needed: str, **more: Any) -> Binary:
    return Binary(form, machine, EXPORTED, IMPORTED, frozenset(needed), **more)


GOOD = {
    "linux-x64": binary("ELF", "X86_64", "libc.so.6", glibc=(2, 14)),
    "linux-arm64": binary("ELF", "ARM64", "libc.so.6", glibc=(2, 17)),
    "alpine-x64": binary("ELF", "X86_64", "libc.so"),
    "darwin-arm64": binary("MACHO", "ARM64", "/usr/lib/libSystem.B.dylib", is_signed=True),
    "darwin-x64": binary("MACHO", "X86_64", "/usr/lib/libSystem.B.dylib"),
    "win32-x64": binary("PE", "X86_64", "python3.dll", "api-ms-win-crt-heap-l1-1-0.dll"),
    "win32-arm64": binary("PE", "ARM64", "python3.dll", "KERNEL32.dll"),
}


def found(target: str, binary: Binary) -> list[str]:
    return [*flaws(binary, TARGETS[target].triple)]


@pytest.mark.parametrize("target", TARGETS)
def test_each_target_takes_its_own_and_no_other_s(target: str) -> None:
    takes = [name for name, binary in GOOD.items() if found(target, binary) == []]
    assert takes == [target]


@pytest.mark.parametrize(
    ("target", "odd", "sentence"),
    [
        ("linux-x64", {"glibc": (2, 38)}, "It needs glibc 2.38."),
        ("linux-x64", {"exported": frozenset({"main"})}, "It exports no PyInit__scan."),
        ("alpine-x64", {"needed": frozenset({"libc.so.6"})}, "It needs libc.so.6."),
        ("linux-arm64", {"machine": "X86_64"}, "It is ELF for X86_64."),
        ("win32-x64", {"needed": frozenset({"python312.dll"})}, "It needs python312.dll."),
        ("darwin-x64", {"needed": frozenset({"/tmp/a.dylib"})}, "It needs /tmp/a.dylib."),
        (
            "darwin-arm64",
            {"is_signed": False},
            "It is not signed, and such a Mac loads nothing that is not.",
        ),
    ],
)
def test_what_keeps_a_platform_from_loading_it_is_named(
    target: str, odd: dict[str, Any], sentence: str
) -> None:
    assert found(target, replace(GOOD[target], **odd)) == [sentence]


def test_what_it_takes_from_python() -> None:
    assert of_python(GOOD["linux-x64"]) == {"PyList_New", "_Py_Dealloc"}


def test_it_has_the_name_that_a_python_there_looks_for() -> None:
    names = {name: scanner.module_of(target) for name, target in TARGETS.items()}
    assert {name for name, module in names.items() if module == "_scan.pyd"} == {
        "win32-x64",
        "win32-arm64",
    }
    assert {*names.values()} == {"_scan.pyd", BUILD["BUILT"].name}


def test_what_builds_it_is_pinned() -> None:
    text = scanner.TOOLS.read_text()
    pins = [line.split()[0] for line in text.splitlines() if line[0] not in " #"]
    assert [pin.split("==")[0] for pin in pins] == ["abi3info", "lief", "ziglang"]
    parts = re.split(r"\n(?=\w)", text)[1:]
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}\b", part) for part in parts)
    assert "://" not in text


def test_it_compiles_with_the_headers_for_any_platform(tmp_path: Path) -> None:
    include = Path(sysconfig.get_path("include"))
    if BUILD["compiler"]() is None or not (include / "Python.h").is_file():
        pytest.skip("there is no C compiler, or Python has no headers")
    headers = scanner.copy_headers(include, tmp_path / "include")
    options = ["-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", '-DDIGEST=""']
    command = [*BUILD["compiler"](), *options, f"-I{headers}", str(BUILD["SOURCE"])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_this_machine_s_compiler_makes_it_for_its_own_platform_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    if BUILD["compiler"]() is None:
        pytest.skip("there is no C compiler")
    made = {name: scanner.scanner_for(each, "host")[0] for name, each in TARGETS.items()}
    own = [name for name, target in TARGETS.items() if scanner.is_own(target)]
    assert [name for name, data in made.items() if data is not None] == own
    assert all(native.SOURCE.encode() in (made[name] or b"") for name in own)
    said = capsys.readouterr().out
    for name in {*TARGETS} - {*own}:
        assert f"{name} goes without the scanner in C: it is not for this machine" in said
