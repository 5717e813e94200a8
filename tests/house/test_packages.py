"""What is carried in the extension for each platform: the locked wheels, and what is looked at."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.fixture_paths import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "client-vscode"))

from setup.libraries import flaws, merged
from setup.step import SetupFailed
from setup.third_party import licences, sbom
from setup.wheels import LOCKS, NATIVE, PYTHONS, TARGETS

METADATA = "Metadata-Version: 2.4\nName: orjson\nVersion: 1.0\nLicense-Expression: MIT\n"


def pins(text: str) -> set[str]:
    return set(re.findall(r"^[\w.-]+==[\w.]+", text, re.MULTILINE))


def test_locked_are_the_pins_of_requirements_and_nothing_else() -> None:
    required = pins((REPOSITORY / "requirements.txt").read_text())
    native, pure = (pins(LOCKS[kind].read_text()) for kind in ("native", "pure"))
    assert native | pure == required
    assert {pin.split("==")[0] for pin in native} == set(NATIVE)


@pytest.mark.parametrize(
    ("name", "wheels"),
    [("msgspec", len(TARGETS) * len(PYTHONS)), ("orjson", None), ("watchfiles", len(TARGETS))],
)
def test_every_wheel_of_every_target_has_its_hash(name: str, wheels: int | None) -> None:
    text = LOCKS["native"].read_text()
    part = re.split(r"\n(?=\w)", text[text.index(f"{name}==") :])[0]
    hashes = re.findall(r"--hash=sha256:[0-9a-f]{64}\b", part)
    # One wheel of orjson is for both kinds of Mac.
    assert len(hashes) == (wheels or (len(TARGETS) - 1) * len(PYTHONS))
    assert "://" not in text


def complete(target: str) -> set[str]:
    """The paths that are wanted, one file in each package in Python."""
    found = {
        f"{name}/__init__.py"
        for name in ["anyio", "attr", "attrs", "cattr", "cattrs", "idna", "lsprotocol", "pygls"]
    }
    suffix = TARGETS[target].suffix
    for version in ("311", "312", "313", "314"):
        found |= {
            f"msgspec/_core{suffix}".format(version),
            f"orjson/orjson{suffix}".format(version),
        }
    found |= {f"{name}/libgcc_s.so.1" for name in TARGETS[target].beside}
    return found | {f"watchfiles/_rust_notify{TARGETS[target].abi3}", "typing_extensions.py"}


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_with_all_natives_is_complete(target: str) -> None:
    assert [*flaws(complete(target), TARGETS[target])] == []


def test_what_lacks_and_what_is_too_much_is_named() -> None:
    files = complete("linux-x64") - {
        "orjson/orjson.cpython-313-x86_64-linux-gnu.so",
        "idna/__init__.py",
    }
    files |= {"orjson/orjson.cpython-315-x86_64-linux-gnu.so", "yaml/__init__.py"}
    assert [*flaws(files, TARGETS["linux-x64"])] == [
        "linux-x64 lacks orjson/orjson.cpython-313-x86_64-linux-gnu.so.",
        "linux-x64 has orjson/orjson.cpython-315-x86_64-linux-gnu.so, which is for others.",
        "linux-x64 lacks idna.",
        "linux-x64 has yaml, which nobody needs.",
    ]
    assert "universal has watchfiles, which nobody needs." in [*flaws(complete("win32-x64"), None)]


def wheel(path: Path, files: dict[str, str]) -> Path:
    with ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_wheels_are_merged_with_their_licences(tmp_path: Path) -> None:
    info = "orjson-1.0.dist-info"
    usual = {f"{info}/METADATA": METADATA, "orjson/__init__.py": "same", "orjson/x.pyi": "left out"}
    one = {
        **usual,
        f"{info}/licenses/LICENSE": "Be kind.",
        f"{info}/RECORD": "1",
        "orjson/a.so": "a",
    }
    two = {
        **usual,
        f"{info}/licenses/LICENSE": "Be kind.",
        f"{info}/RECORD": "2",
        "orjson/b.so": "b",
    }
    files, libraries = merged([wheel(tmp_path / "1.whl", one), wheel(tmp_path / "2.whl", two)])
    assert files == {
        f"{info}/METADATA": METADATA.encode(),
        "orjson/__init__.py": b"same",
        "orjson/a.so": b"a",
        "orjson/b.so": b"b",
    }
    [library] = libraries
    assert (library.name, library.version, library.licence) == ("orjson", "1.0", "MIT")
    assert len(library.hashes) == 2
    assert licences(libraries) == "orjson 1.0 (MIT)\n\nBe kind.\n"
    assert '"pkg:pypi/orjson@1.0"' in sbom(libraries, [])

    with pytest.raises(SetupFailed, match="is another file in another wheel"):
        merged(
            [tmp_path / "1.whl", wheel(tmp_path / "3.whl", {**two, "orjson/__init__.py": "other"})]
        )
    with pytest.raises(SetupFailed, match="brings no licence along"):
        merged([wheel(tmp_path / "4.whl", usual)])
