"""The server's wheel, built as `pip install .` builds it, runs where nothing else is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PathDistribution, distribution
from pathlib import Path
from zipfile import Path as ZipPath
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import forkpoint
from fixtures.demo.prepare import prepare
from tests.fixture_paths import REPOSITORY

NOW = datetime(2027, 3, 9, 0, 20, 30, tzinfo=UTC)
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input")
WHERE = """
import forkpoint.stand_ins
print(forkpoint.__file__)
print(forkpoint.stand_ins.missing_natives())
"""
SOURCES = ("pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built of a copy, since a build puts the scanner in C beside the modules."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        shutil.copy(REPOSITORY / name, folder)
    unwanted = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(REPOSITORY / "server", folder / "server", ignore=unwanted)
    options = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder)
    run([*PIP, "wheel", *options, folder])
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the programs of an environment are that has the wheel, and what it says it needs."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    [packages] = folder.glob("lib/python*/site-packages")
    with ZipFile(wheel) as archive:
        [info] = [each for each in ZipPath(archive).iterdir() if each.name.endswith(".dist-info")]
        for name in needed(PathDistribution(info)):
            for path in parts(name):
                (packages / path.name).symlink_to(path)
    programs = folder / "bin"
    run([*PIP, "--python", programs / "python", "install", "--quiet", "--no-index", wheel])
    return programs


def needed(of: PathDistribution) -> set[str]:
    """Names of all that a distribution needs here, without its extras."""
    found: set[str] = set()
    asked = list(of.requires or ())
    while asked:
        requirement = Requirement(asked.pop())
        name = canonicalize_name(requirement.name)
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if applies and name not in found:
            found.add(name)
            asked += distribution(name).requires or ()
    return found


def parts(name: str) -> Iterator[Path]:
    """The modules, packages and metadata of an installed distribution."""
    files = distribution(name).files or ()
    for part in sorted({file.parts[0] for file in files} - {"..", "__pycache__"}):
        yield Path(str(distribution(name).locate_file(part)))


def run(command: list[str | Path], asked: str = "", **variables: str) -> str:
    """What a command prints; it must succeed, and knows nothing of the checkout."""
    env = {"PATH": os.environ["PATH"], "PIP_CONFIG_FILE": os.devnull, **variables}
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd="/", env=env, input=asked, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_all_of_the_server_is_in_it(wheel: Path) -> None:
    package = REPOSITORY / "server" / "forkpoint"
    files = (path for path in package.rglob("*") if path.is_file() and path.suffix != ".so")
    there = {str(path.relative_to(package.parent)) for path in files if path.suffix != ".pyc"}
    assert "forkpoint/languages/zh-cn.json" in there
    assert there - {*ZipFile(wheel).namelist()} == set()


def test_it_runs_with_what_it_says_it_needs(programs: Path, tmp_path: Path) -> None:
    where = run([programs / "python", "-c", WHERE]).splitlines()
    assert Path(where[0]).is_relative_to(programs.parent)
    assert where[1] == "()"
    assert run([programs / "forkpoint", "--version"]).split()[-1] == forkpoint.__version__
    demo = prepare(tmp_path / "demo", NOW)
    said = run(
        [programs / "forkpoint", "--config-dir", demo.config_dir, "sessions"],
        HOME=str(tmp_path),
        XDG_CACHE_HOME=str(tmp_path / "cache"),
    )
    assert "Round the total" in said
    assert "Open a pull request" in said


def test_its_server_speaks_with_what_it_says_it_needs(programs: Path, tmp_path: Path) -> None:
    first = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}
    messages = [first, {"id": 2, "method": "shutdown"}, {"method": "exit"}]
    bodies = [json.dumps({"jsonrpc": "2.0", **each}) for each in messages]
    asked = "".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies)
    said = run([programs / "forkpoint", "serve"], asked, HOME=str(tmp_path))
    assert f'"version":"{forkpoint.__version__}"' in said.replace(" ", "")
