"""Fuzz, guided by what code is reached: `python tests/fuzz/run.py --seconds 60 [TARGET ...]`.

Needs atheris, which is in requirements-fuzz.txt. Each target runs in a process of its own, one
after the other. What is learned stays in build/fuzz, so that a later run goes on from there. What
is found is written there, too; to keep it, put it into tests/fuzz/finds/TARGET, where the ordinary
tests ask for it again, and add a test that says in words what was wrong.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

LEARNED = REPOSITORY / "build" / "fuzz"
MOST_BYTES = 8_000
SLOW_SECONDS = 20
MOST_MEGABYTES = 2_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        [target] = options.targets
        fuzz(target, options.seconds)
    from tests.fuzz.targets import TARGETS

    if not set(options.targets) <= TARGETS.keys():
        parser.error(f"TARGET is one of {', '.join(TARGETS)}")
    command = [sys.executable, __file__, "--inside", "--seconds", str(options.seconds)]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    failed = [
        target
        for target in options.targets or TARGETS
        if subprocess.run([*command, target], env=environment, check=False).returncode
    ]
    print(f"Something was found in: {', '.join(failed)}" if failed else "Nothing was found.")
    return 1 if failed else 0


def fuzz(name: str, seconds: int) -> None:
    """Fuzz a target; does not come back."""
    import atheris  # pyright: ignore[reportMissingImports]

    with atheris.instrument_imports(include=["forkpoint"]):
        from tests.fuzz.targets import TARGETS
    from tests.fuzz.lines import mutate

    logging.disable(logging.CRITICAL)  # what the server says of nonsense would fill the screen
    target = TARGETS[name]
    corpus = LEARNED / name / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    arguments = [
        *(sys.argv[0], str(corpus)),
        *(f"-max_total_time={seconds}", f"-max_len={MOST_BYTES}", f"-timeout={SLOW_SECONDS}"),
        *(f"-rss_limit_mb={MOST_MEGABYTES}", f"-artifact_prefix={LEARNED / name}/"),
        *("-use_value_profile=1", "-print_final_stats=1", "-close_fd_mask=0"),
    ]
    by_lines = {"custom_mutator": lambda data, most, seed: mutate(data, most, seed, atheris.Mutate)}
    atheris.Setup(arguments, target.check, **(by_lines if target.has_lines else {}))
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
