"""Whose work does an extension carry, and under which licences?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from setup.libraries import Library
from setup.step import SetupFailed

SBOM, LICENCES = "sbom.cdx.json", "THIRD_PARTY_LICENSES.txt"


def npm_libraries(client: Path) -> list[Library]:
    """What esbuild put into the extension, as it noted there.

    Raises:
        SetupFailed: the extension is not built.
    """
    noted = client / "dist" / "packages.json"
    if not noted.is_file():
        raise SetupFailed("The client is not built: run npm run build first.")
    return [_npm_library(client / "node_modules" / name) for name in json.loads(noted.read_text())]


def _npm_library(folder: Path) -> Library:
    about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    texts = sorted(path for path in folder.iterdir() if path.name.upper().startswith("LICEN"))
    written = [path.read_text(encoding="utf-8") for path in texts]
    # Some packages of Microsoft's only name theirs.
    written = written or [f"The package brings no text along. Its author: {_author(about)}."]
    return Library(about["name"], about["version"], about["license"], tuple(written), ())


def _author(about: dict[str, Any]) -> str:
    author = about.get("author", "not named")
    return author["name"] if isinstance(author, dict) else author


def sbom(python: list[Library], npm: list[Library]) -> str:
    """Write a CycloneDX 1.5 list of components."""
    listed = [_component("pypi", each) for each in python] + [
        _component("npm", each) for each in npm
    ]
    bom = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": listed}
    return json.dumps(bom, indent=1) + "\n"


def _component(kind: str, library: Library) -> dict[str, object]:
    return {
        "type": "library",
        "name": library.name,
        "version": library.version,
        "purl": f"pkg:{kind}/{library.name.replace('@', '%40')}@{library.version}",
        "licenses": [{"license": {"name": library.licence}}],
        "hashes": [{"alg": "SHA-256", "content": each} for each in library.hashes],
    }


def licences(libraries: list[Library]) -> str:
    """Write all licences one behind the other."""
    parts = [
        f"{each.name} {each.version} ({each.licence})\n\n" + "\n".join(each.texts).strip()
        for each in libraries
    ]
    return f"\n\n{'=' * 72}\n\n".join(parts) + "\n"
