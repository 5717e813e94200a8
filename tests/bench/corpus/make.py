"""A deterministic, made-up corpus: a config folder, rollouts, and what is true of them.

    <folder>/.claude/projects/<key>/<session>.jsonl            transcripts
    <folder>/.claude/projects/<key>/<session>/subagents/       their subagents'
    <folder>/.claude/projects/<key>/<session>/tool-results/    spilled output
    <folder>/.claude/file-history/<session>/<hash>@v<n>        copies of files
    <folder>/.codex/sessions/<y>/<m>/<d>/rollout-*.jsonl       about a twentieth of the bytes
    <folder>/manifest.json                                     the truth, per session

The same arguments give the same bytes on every machine. Traps are there on purpose: JSON inside
strings, nested keys that look like a record's, both known orders of keys, unknown record types, a
torn last line in one of fifty sessions.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import orjson

from tests.bench.corpus.codex import Rollout
from tests.bench.corpus.session import Session
from tests.bench.corpus.text import EPOCH, WORDS, Texts
from tests.bench.corpus.transcript import Json

PROOF = "e976523908de4d6090243eaa1fd531c5b6e0531db29c40b66088be279bcd7aba"
"""Digest of 8 MiB in two sessions of seed 3 (tests/house/test_bench.py says how it is made). Rare
records, a screenshot and subagents are among them; a corpus that is kept bears its beginning."""

_LARGEST_PARTS = (0.195, 0.12, 0.08, 0.06, 0.05)
"""Of the Claude bytes: with 1 GiB, sessions of 200, 122, 82, 61 and 51 MB."""
_CLAUDE_PART = 0.95
_DAYS = 30
_LEAST_BYTES = 3000


def make_corpus(folder: Path, size: int, sessions: int = 400, seed: int = 1) -> Json:
    """Fill an empty folder with about `size` bytes of transcripts; returns the manifest."""
    texts = Texts(seed)
    rng = Random(f"{seed}-plan")
    sizes = _sizes(rng, int(size * _CLAUDE_PART), sessions)
    projects = [f"/home/dev/{w}-{number}" for number, w in enumerate(rng.sample(WORDS, 12))]
    made: list[Json] = []
    for number, target in enumerate(sizes):
        cwd = rng.choice(projects)
        project = folder / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", cwd)
        made.append(Session(texts, seed, number, cwd, project, _some_day(rng)).run(target))
    count = max(1, sessions // 20)
    target = int(size * 0.05 / count)
    home = folder / ".codex"
    rollouts = [
        Rollout(texts, seed, number, _some_day(rng)).run(home, target) for number in range(count)
    ]
    manifest = {
        "args": {"size": size, "sessions": sessions, "seed": seed},
        "totals": _totals(made, rollouts),
        "sessions": made,
        "codex": rollouts,
    }
    (folder / "manifest.json").write_bytes(orjson.dumps(manifest))
    return manifest


def _sizes(rng: Random, total: int, sessions: int) -> list[int]:
    """A few long sessions, many short ones, in no order."""
    long = [total * part for part in _LARGEST_PARTS[: max(0, sessions - 1)]]
    short = [2.718281828 ** rng.gauss(0, 1.25) for _ in range(sessions - len(long))]
    scale = (total - sum(long)) / sum(short)
    sizes = [int(max(_LEAST_BYTES, size)) for size in long + [part * scale for part in short]]
    rng.shuffle(sizes)
    return sizes


def _some_day(rng: Random) -> int:
    return (EPOCH - rng.randrange(0, _DAYS * 86400)) * 1000


def _totals(sessions: list[Json], rollouts: list[Json]) -> dict[str, int]:
    files = [*sessions, *rollouts]
    files += [agent for session in sessions for agent in session["subagents"]]
    return {
        "jsonlBytes": sum(file["bytes"] for file in files),
        "lines": sum(file["lines"] for file in files),
        "largest": max(session["bytes"] for session in sessions),
    }
