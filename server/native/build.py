"""Builds the scanner in C into the package, if there is a C compiler.

By itself: `python server/native/build.py`.

It takes nothing but the standard library. The build of a wheel and of an editable install calls it
(`hatch_build.py`), and so do the tests. What an extension carries is built for its platform by
`client-vscode/setup/scanner.py`.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "scan.c"
BUILT = HERE.parent / "forkpoint" / "_scan.abi3.so"
_OPTIONS = ("-std=c11", "-O3", "-fPIC", "-shared", "-fvisibility=hidden")
_LINKED = ("-undefined", "dynamic_lookup") if sys.platform == "darwin" else ()
_SECONDS = 120


def digest_of_source() -> str:
    """Return what a module says of the source that it was built from (see `forkpoint.native`)."""
    return hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:32]


def compiler() -> list[str] | None:
    """Return the C compiler that Python names, or `cc`; None where there is none.

    None on Windows, too: it has another way of building, and nobody has tried.
    """
    if os.name != "posix":
        return None
    named = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    for command in (shlex.split(named), ["cc"]):
        if command and shutil.which(command[0]):
            return command
    return None


def build(target: Path = BUILT, more: tuple[str, ...] = ()) -> str | None:
    """Build the module.

    Args:
        target: where it is put, in one step.
        more: options for the compiler.

    Returns:
        Why there is none; None if it was built.
    """
    command = compiler()
    if command is None:
        return "there is no C compiler"
    named = (f'-DDIGEST="{digest_of_source()}"', f"-I{sysconfig.get_path('include')}")
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        made = Path(folder) / target.name
        command += [*_OPTIONS, *more, *named, str(SOURCE), "-o", str(made), *_LINKED]
        try:
            subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=True)
        except subprocess.CalledProcessError as failure:
            return failure.stderr.strip() or str(failure)
        except (OSError, subprocess.TimeoutExpired) as failure:
            return str(failure)
        made.replace(target)
    return None


if __name__ == "__main__":
    problem = build()
    print(f"Built {BUILT}" if problem is None else f"Not built: {problem}")
