"""Benchmarks measure the same bytes everywhere, see wrong answers, and judge on the right side."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from tests.bench import ours
from tests.bench.corpus.make import PROOF, make_corpus
from tests.bench.table import Limit
from tests.bench.truth import wrong_answers


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    make_corpus(tmp_path, size=8 << 20, sessions=2, seed=3)
    digest = hashlib.sha256()
    for path in sorted(path for path in tmp_path.rglob("*") if path.is_file()):
        name = path.relative_to(tmp_path).as_posix().encode()
        digest.update(name + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    assert digest.hexdigest() == PROOF


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """Nine sessions, one of them with a torn last line."""
    folder = tmp_path_factory.mktemp("corpus")
    return folder / ".claude", make_corpus(folder, size=1 << 20, sessions=9)["sessions"]


def test_all_answers_about_a_corpus_are_right(corpus: tuple[Path, list[dict[str, Any]]]) -> None:
    home, sessions = corpus
    ours.all_behind(str(home), None)
    assert wrong_answers(ours.facts(), sessions, home / "projects") == []


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("chain", 1),
        ("activeLen", 1),
        ("leaf", None),
        ("usage", {}),
        ("prompts", 0),
        ("tools", {}),
        ("title", "another"),
        ("listed", {"text": "another", "source": "ai"}),
        ("snapshots", -1),
        ("lineIsOnPath", False),
    ],
)
def test_a_wrong_answer_is_seen(
    corpus: tuple[Path, list[dict[str, Any]]], name: str, wrong: object
) -> None:
    home, sessions = corpus
    ours.all_behind(str(home), None)
    facts = ours.facts()
    ident = sessions[3]["sessionId"]
    facts[ident][name] = wrong
    (line,) = wrong_answers(facts, sessions, home / "projects")
    assert line.startswith(f"{ident}: {name} is ")


def test_a_session_too_few_or_too_many_is_seen(
    corpus: tuple[Path, list[dict[str, Any]]],
) -> None:
    home, sessions = corpus
    ours.all_behind(str(home), None)
    facts = ours.facts()
    facts["another"] = facts.pop(sessions[0]["sessionId"])
    assert wrong_answers(facts, sessions, home / "projects") == [
        f"{sessions[0]['sessionId']}: not found",
        "another: there is no such session",
    ]


def test_a_limit_is_kept_on_its_side() -> None:
    most, least = Limit("<=", 12, 8), Limit(">=", 6, 15)
    assert [most.holds(value, most.must) for value in (11.9, 12, 12.1)] == [True, True, False]
    assert [least.holds(value, least.must) for value in (5.9, 6, 6.1)] == [False, True, True]
