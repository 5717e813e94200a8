"""Tries the packaged extension without a network: ``python3 tests/vscode/installed.py``.

Makes the .vsix for linux-x64 and the one for any platform of the client as it is built, then starts
VS Code and a browser where no network is but this machine's own, with one Python on the path.

    --python PATH   this one; may be given several times
    --oldest        VS Code 1.93 in place of a current one
    --made          the two .vsix are there already
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "client-vscode"))

from setup.cache import OLDEST, is_oldest
from setup.chromium import ensure_chromium
from setup.client import CLIENT, install_packages
from setup.code_server import ensure_code_server
from setup.python_environment import ROOT, ensure_python_environment
from setup.step import SetupFailed, run_step

HERE = ROOT / "tests" / "vscode"
OUT = HERE / "out"
SCENARIOS = ("installed", "installed_universal")
HAS_SCANNER = "from forkpoint.native import loaded; print(loaded() is not None)"


def main(arguments: list[str]) -> int:
    """Package, and try each Python; 0 if all is well."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", action="append", metavar="PATH")
    parser.add_argument("--oldest", action="store_true")
    parser.add_argument("--made", action="store_true")
    options = parser.parse_args(arguments)
    if options.oldest:
        os.environ[OLDEST] = "1"
    try:
        runner = _prepare(options.made)
    except SetupFailed as failure:
        print(failure)
        return 1
    pythons = options.python or [sys._base_executable]
    return 1 if [python for python in pythons if not _is_well(runner, python)] else 0


def _prepare(is_made: bool) -> Path:
    """Fetch all that a run needs while there is a network; the Python that runs scenarios."""
    runner = ensure_python_environment("requirements-dev.txt")
    if not is_made:
        script = CLIENT / "scripts" / "package.py"
        command = [runner, script, "--built", "linux-x64", "universal"]
        run_step("the extension, packaged twice", command, ROOT)
    install_packages("the driver's npm packages", HERE)
    ensure_chromium()
    ensure_code_server()
    return runner


def _is_well(runner: Path, python: str) -> bool:
    """Whether the scenarios pass with a Python, and it was that one which ran the server."""
    said = subprocess.run([python, "--version"], capture_output=True, text=True, check=True)
    version = said.stdout.strip()
    print(f"{version}, {'the oldest' if is_oldest() else 'a current'} VS Code", flush=True)
    words = " ".join(f"'{word}'" for word in (runner, HERE / "run.py", *SCENARIOS))
    # A network of its own, in which 127.0.0.1 alone is reached.
    offline = ["unshare", "--map-root-user", "--net", "sh", "-c", f"ip link set lo up && {words}"]
    done = subprocess.run(offline, env={**os.environ, "FORKPOINT_TEST_PYTHON": python})
    logs = [path.read_text() for path in OUT.rglob("Forkpoint.log")]
    if done.returncode == 0 and [log for log in logs if f"{version}: " not in log]:
        print(f"not ok: another Python than {version} ran the server")
        return False
    if not _takes_the_scanner(python):
        print(f"not ok: {version} does not take the scanner in C of the .vsix for linux-x64")
        return False
    return done.returncode == 0


def _takes_the_scanner(python: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        with ZipFile(CLIENT / "packages" / "forkpoint-linux-x64.vsix") as archive:
            names = [name for name in archive.namelist() if "/bundled/" in name]
            archive.extractall(folder, names)
        bundled = Path(folder) / "extension" / "bundled"
        path = os.pathsep.join(str(bundled / name) for name in ("server", "libs"))
        env = {"PYTHONPATH": path}
        command = [python, "-c", HAS_SCANNER]
        said = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True)
        return said.stdout == "True\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
