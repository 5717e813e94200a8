"""Makes the extension, with the server and its libraries in it, one .vsix for each platform.

    python client-vscode/scripts/package.py linux-x64 universal
    python client-vscode/scripts/package.py --all       for all platforms, and one for any other
    python client-vscode/scripts/package.py --check     only look whether each would be complete
    python client-vscode/scripts/package.py --lock      write down anew what wheels there are

Builds the client first, if it is not built (`--built`: never). Writes `forkpoint-TARGET.vsix` into
`client-vscode/packages`. Wheels are downloaded by pip, once, into the cache folder, and so is zig,
which compiles the scanner in C for each platform. `--scanner host` has this machine's compiler do
it instead, for this machine's platform alone, to try something out: what it makes may need the C
library that is here. `--scanner none` does without.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from setup.client import CLIENT, install_packages, npm_step
from setup.libraries import Library, flaws, merged
from setup.node import ensure_node24
from setup.scanner import WAYS, module_of, scanner_for
from setup.step import SetupFailed, environment_with, run_step
from setup.third_party import LICENCES, SBOM, licences, npm_libraries, sbom
from setup.wheels import TARGETS, lock, wheels_for

UNIVERSAL = "universal"
BUNDLED = CLIENT / "bundled"
PACKAGES = CLIENT / "packages"


def main(arguments: list[str]) -> int:
    """Do what was asked; 1 if something is missing."""
    options = _parse(arguments)
    try:
        if options.lock:
            with tempfile.TemporaryDirectory() as folder:
                lock(Path(folder))
        elif options.check:
            for name in [*TARGETS, UNIVERSAL]:
                contents(name, options.scanner)
                print(f"{name} is complete.")
        else:
            _package_all(options)
    except SetupFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


def contents(name: str, way: str) -> tuple[dict[str, bytes], list[Library]]:
    """The files that a target carries besides the client and the server, and whose they are.

    Args:
        name: the target.
        way: how the scanner in C is built, one of `WAYS`.

    Returns:
        The files by path below ``bundled``, and the libraries.

    Raises:
        SetupFailed: something is missing, or there is too much.
    """
    target = TARGETS.get(name)
    files, libraries = merged(wheels_for(target))
    if found := [*flaws(set(files), target)]:
        raise SetupFailed("\n".join(found))
    carried = {f"libs/{path}": data for path, data in files.items()}
    if target:
        scanner, others = scanner_for(target, way)
        if scanner:
            carried[f"server/forkpoint/{module_of(target)}"] = scanner
        libraries += others
    return carried, libraries


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="package.py", description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS, UNIVERSAL], metavar="TARGET")
    parser.add_argument("--all", action="store_true", help="all targets")
    parser.add_argument("--built", action="store_true", help="the client is built already")
    parser.add_argument("--check", action="store_true", help="only look at what would be in them")
    parser.add_argument("--scanner", choices=WAYS, default="zig", help="what compiles it")
    parser.add_argument("--lock", action="store_true", help="write the lock files anew")
    return parser.parse_args(arguments)


def _package_all(options: argparse.Namespace) -> None:
    if not options.built:
        install_packages("the client's npm packages", CLIENT)
        npm_step("the client, bundled", "run", "build")
    PACKAGES.mkdir(exist_ok=True)
    try:
        for name in [*TARGETS, UNIVERSAL] if options.all else options.targets:
            print(package(name, options.scanner).relative_to(CLIENT.parent))
    finally:
        _remove_carried()


def package(name: str, way: str) -> Path:
    """Make the .vsix of one target of the client as it is built; how the scanner is, as `contents`.

    Raises:
        SetupFailed: something is missing.
    """
    files, libraries = contents(name, way)
    carried = npm_libraries(CLIENT)
    _remove_carried()
    for path, data in files.items():
        place = BUNDLED / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    (BUNDLED / SBOM).write_text(sbom(libraries, carried), encoding="utf-8")
    (BUNDLED / LICENCES).write_text(licences([*libraries, *carried]), encoding="utf-8")
    made = PACKAGES / f"forkpoint-{name}.vsix"
    vsce = CLIENT / "node_modules" / "@vscode" / "vsce" / "vsce"
    command = ["node", vsce, "package", "--no-dependencies", "--no-rewrite-relative-links"]
    command += ["--allow-missing-repository"]
    command += ["--out", made, *(["--target", name] if name in TARGETS else [])]
    run_step(f"the extension for {name}", command, CLIENT, environment_with(ensure_node24()))
    return made


def _remove_carried() -> None:
    shutil.rmtree(BUNDLED / "libs", ignore_errors=True)
    scanners = (BUNDLED / "server" / "forkpoint").glob("_scan.*")
    for path in (BUNDLED / SBOM, BUNDLED / LICENCES, *scanners):
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
