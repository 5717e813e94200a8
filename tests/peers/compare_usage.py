"""What others say was spent, beside what Forkpoint says: ccusage, and the client's `cost-state`.

    python tests/peers/compare_usage.py [HOME ...] [--scratch FOLDER]

For each config folder, or Codex home (all recordings, if none is named), it prints tokens and
dollars: ours, those of ccusage, which npm installs into the scratch folder, and those of the last
`cost-state` line of each session, beside ours of the same session. A line that differs ends with
what differs. Nothing is expected of the numbers: whoever runs this reads them. Without npm, ccusage
is left out. It reads no rollout whose JSON has blanks behind its colons, as that of two homes which
were written by hand has.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "server")]

from forkpoint.catalog import Catalog  # noqa: E402
from forkpoint.lsp.handlers import HANDLERS  # noqa: E402
from forkpoint.protocol.params import decode_params  # noqa: E402

CCUSAGE = "ccusage@20.0.24"
RECORDED = REPOSITORY / "fixtures" / "claude-code"
RECORDED_CODEX = REPOSITORY / "fixtures" / "codex"
METHOD = "forkpoint/usage"
PATIENCE_SECONDS = 120


class Sums(NamedTuple):
    """Tokens and dollars, as all three tell them."""

    input: int
    output: int
    written: int
    read: int
    dollars: float | None

    def __str__(self) -> str:
        numbers = " ".join([f"{number:>11,}" for number in self[:4]])
        return f"{numbers} {'-' if self.dollars is None else f'{self.dollars:.6f}':>12}"

    def differences(self, other: Sums) -> str:
        """Name what is not the same, by how much the other one is more."""
        found = [
            f"{name} {theirs - ours:+,}"
            for name, ours, theirs in zip(self._fields[:4], self[:4], other[:4], strict=True)
            if ours != theirs
        ]
        if (
            self.dollars is None
            or other.dollars is None
            or abs(self.dollars - other.dollars) > 5e-7
        ):
            found.append(f"dollars {(other.dollars or 0) - (self.dollars or 0):+.6f}")
        return ", ".join(found)


def main() -> int:
    """Print all comparisons; 0 unless nothing could be compared."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("homes", nargs="*", type=Path)
    parser.add_argument("--scratch", type=Path, default=Path(tempfile.gettempdir(), "peers"))
    options = parser.parse_args()
    homes: list[Path] = options.homes or [
        *sorted(RECORDED.iterdir()),
        *sorted(RECORDED_CODEX.iterdir()),
    ]
    ccusage = installed(options.scratch)
    print(f"{'':44}{'input':>11} {'output':>11} {'written':>11} {'read':>11} {'dollars':>12}")
    results: Counter[str] = Counter()
    for home in homes:
        ours = our_sums(home)
        print(f"{home.name[:30]:30} {'forkpoint':12} {ours}")
        if ccusage is not None:
            results[tell("ccusage", ours, sums_of_ccusage(ccusage, home, options.scratch))] += 1
        for session_id, said in cost_states(home):
            alone = our_sums(home, session_id)
            results[tell(f"state {session_id[:5]}", alone, said)] += 1
    print(*[f"{name}: {count}" for name, count in sorted(results.items())], sep="\n")
    return 0 if results else 1


def tell(name: str, ours: Sums, theirs: Sums | None) -> str:
    """Print another's numbers; says how they compare."""
    if theirs is None:
        print(f"{'':30} {name:12} no answer")
        return f"{name.split()[0]} no answer"
    differences = ours.differences(theirs)
    print(f"{'':30} {name:12} {theirs}  {differences}".rstrip())
    tokens_differ = ours[:4] != theirs[:4]
    verdict = "other tokens" if tokens_differ else "other dollars" if differences else "equal"
    return f"{name.split()[0]} {verdict}"


def is_codex_home(home: Path) -> bool:
    """Say whose folder it is: Claude Code has a `projects`, and its `sessions` hold no days."""
    return not (home / "projects").exists() and any(home.glob("sessions/*/*/*/*.jsonl*"))


# --- ours --------------------------------------------------------------------------------------


def our_sums(home: Path, session_id: str | None = None) -> Sums:
    """Ask for the total of a home, or of one of its sessions."""
    is_codex = is_codex_home(home)
    catalog = Catalog([] if is_codex else [home], codex_homes=[home] if is_codex else [])
    while catalog.index_next():
        pass
    answer: Any = HANDLERS[METHOD](catalog, decode_params(METHOD, {"sessionId": session_id}))
    both = answer.total.both
    written = both.tokens.cache_write_5m + both.tokens.cache_write_1h
    tokens = both.tokens
    return Sums(tokens.input, tokens.output, written, tokens.cache_read, both.cost_usd)


# --- ccusage -----------------------------------------------------------------------------------


def installed(scratch: Path) -> Path | None:
    """Have npm install ccusage; None where that cannot be."""
    command = scratch / "node_modules" / ".bin" / "ccusage"
    scratch.mkdir(parents=True, exist_ok=True)
    install = ["npm", "install", "--prefix", str(scratch), "--ignore-scripts", "--no-audit"]
    try:
        subprocess.run([*install, "--no-fund", CCUSAGE], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as failure:
        print(f"{CCUSAGE} could not be installed: {failure}", file=sys.stderr)
    return command if command.exists() else None


def sums_of_ccusage(command: Path, home: Path, scratch: Path) -> Sums | None:
    """Ask for all days, at the prices that it brings along."""
    is_codex = is_codex_home(home)
    nothing = scratch / "nothing"
    nothing.mkdir(exist_ok=True)
    quiet = {
        "HOME": str(nothing),
        "CLAUDE_CONFIG_DIR": str(nothing if is_codex else home),
        "CODEX_HOME": str(home if is_codex else nothing),
    }
    words = [str(command), "codex" if is_codex else "claude", "daily", "--json", "--offline"]
    words += [] if is_codex else ["--mode", "calculate"]
    done = subprocess.run(
        words, env={**os.environ, **quiet}, capture_output=True, timeout=PATIENCE_SECONDS
    )
    try:
        totals = json.loads(done.stdout)["totals"]
    except (ValueError, KeyError, TypeError):
        return None
    return Sums(
        totals["inputTokens"],
        totals["outputTokens"],
        totals["cacheCreationTokens"],
        totals["cacheReadTokens"],
        totals["costUSD" if is_codex else "totalCost"],
    )


# --- the client --------------------------------------------------------------------------------


def cost_states(home: Path) -> Iterator[tuple[str, Sums]]:
    """Yield what the last `cost-state` of each session says; it goes on counting over a resume."""
    for path in sorted(home.glob("projects/*/*.jsonl")):
        lines = [line for line in path.read_bytes().split(b"\n") if b'"cost-state"' in line]
        states: list[Any] = [json.loads(line) for line in lines if line.startswith(b"{")]
        if not states or not states[-1].get("modelUsage"):
            continue
        used: list[Any] = [*states[-1]["modelUsage"].values()]
        yield (
            path.stem,
            Sums(
                sum(each["inputTokens"] for each in used),
                sum(each["outputTokens"] for each in used),
                sum(each["cacheCreationInputTokens"] for each in used),
                sum(each["cacheReadInputTokens"] for each in used),
                states[-1]["totalCostUSD"],
            ),
        )


if __name__ == "__main__":
    sys.exit(main())
