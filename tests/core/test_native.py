"""The scanner in C: it is the one of this release, and no bytes lead it astray."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from forkpoint import batches, exchanges, native
from tests import scan_mutations
from tests.fixture_paths import REPOSITORY
from tests.properties.test_usual_lines import agree

BUILD: dict[str, Any] = runpy.run_path(str(REPOSITORY / "server" / "native" / "build.py"))
ASAN = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def test_the_digest_is_the_source_s() -> None:
    """Whoever changes `scan.c` writes its digest into `native.py`: older builds do not fit it."""
    assert BUILD["digest_of_source"]() == native.SOURCE


def test_the_codes_are_the_same() -> None:
    source = (REPOSITORY / "server" / "native" / "scan.c").read_text()
    told = re.search(r"\bUNUSUAL,[^}]+LEFT = 255", source)
    assert told is not None
    names = re.findall(r"[A-Z_]+", told[0])[:-1]
    types = [name.lower().replace("_", "-") for name in names]
    types[-2:] = ["file-history-snapshot", "file-history-delta"]
    codes = batches.CODES
    assert names[: exchanges.WORDS + 1] == [
        "UNUSUAL",
        "ANSWER",
        "PROSE",
        "CALLING",
        "RESULT",
        "SUMMARY",
        "WORDS",
    ]
    assert {name: code for code, name in enumerate(types) if code > exchanges.WORDS} == {
        name: code for name, code in codes.items() if code > exchanges.WORDS
    }


def imported(**environment: str) -> str:
    """What a new Python has for a scanner."""
    code = "from forkpoint.native import loaded; print(loaded() is not None)"
    command = [sys.executable, "-c", code]
    env = {**os.environ, **environment}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout


def test_it_may_be_turned_off() -> None:
    assert imported(FORKPOINT_PURE="1") == "False\n"


def test_it_is_built_where_it_can_be(tmp_path: Path) -> None:
    if BUILD["compiler"]() is None:
        pytest.skip("there is no C compiler")
    assert BUILD["build"](tmp_path / "_scan.abi3.so", ("-Wall", "-Wextra", "-Werror")) is None


def test_another_build_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "SOURCE", "another's")
    assert native.loaded() is None


def test_what_is_no_whole_line_is_refused() -> None:
    scanner = native.loaded()
    if scanner is None:
        pytest.skip("the scanner is not built")
    for args in ((b"{}", b"", 0, 0), (b"", b"{}", 0, 2), (b"", b"{}\n", 2, 9), (b"", b"\n", -1, 1)):
        with pytest.raises(ValueError, match="no whole lines"):
            scanner.scan(*args, 0, str)
    with pytest.raises(ValueError, match="no column"):
        scanner.planes(b"abc", 2, [])


@pytest.mark.parametrize("seed", range(2, 6))
def test_damaged_lines_give_what_the_general_way_gives(seed: int) -> None:
    for data in scan_mutations.chunks(seed, 100):
        agree(data)


def test_no_memory_error_in_damaged_lines(tmp_path: Path) -> None:
    """Each text has a place of its own in memory here, so that a step beyond it is seen."""
    module = tmp_path / "_scan.abi3.so"
    if BUILD["compiler"]() is None or BUILD["build"](module, ASAN) is not None:
        pytest.skip("there is no C compiler with AddressSanitizer")
    library = [*BUILD["compiler"](), "-print-file-name=libasan.so"]
    found = subprocess.run(library, capture_output=True, text=True, check=True).stdout.strip()
    env = {"LD_PRELOAD": found, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    env["FORKPOINT_PURE"] = ""
    script = REPOSITORY / "tests" / "scan_mutations.py"
    command = [sys.executable, str(script), str(module), "3000"]
    run = subprocess.run(
        command, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
