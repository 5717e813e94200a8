"""What is fuzzed: for each target what must hold for any bytes, and what to begin with.

Most of it is what Hypothesis asks, too (`tests/properties`), here of bytes that go where no code
went before. A target raises nothing, but an `AssertionError` where something is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch
from zlib import crc32

from forkpoint.cache.requests import requests_of
from forkpoint.catalog import Catalog
from forkpoint.index import TranscriptIndex
from forkpoint.patch_backward import undone
from forkpoint.patch_forward import Done, applied
from forkpoint.records.apply_patch import changes_in_event, patch_in_command, patch_in_text
from forkpoint.records.blocks import TEXT_LIMIT
from forkpoint.records.codex import agent_of
from forkpoint.records.content import content_of
from forkpoint.records.pictures import picture_in
from forkpoint.records.said import general, said_on
from forkpoint.records.unified_diff import hunks_of
from forkpoint.redaction.redactor import Finder, What
from forkpoint.search_query import MOST_CHARACTERS, Misfit, parse
from forkpoint.session import Conversation
from forkpoint.snippet import LENGTH, snippet_of
from forkpoint.transcript import TranscriptReader
from forkpoint.unpacked import CannotUnpack, Unpacked
from tests.builders import SESSION, index_of, transcript
from tests.fixture_paths import CASES, FIXTURES, ORACLE
from tests.fuzz.edge import answers_everything, messages
from tests.fuzz.homes import answered_of_claude_code, answered_of_codex
from tests.properties import (
    test_branches,
    test_checkpoints,
    test_decoding,
    test_growing_calls,
    test_growing_requests,
    test_growth,
    test_paths,
    test_rollouts,
    test_usual_lines,
)
from tests.properties.test_folding import state
from tests.searches import fill, hits

SMALL = 8_000
"""Bytes of what is begun with, and of what is made of it: more only takes longer."""


class Target(NamedTuple):
    """What is fuzzed.

    Attributes:
        check: raises where something does not hold for some bytes.
        seeds: what is begun with.
        has_lines: whether the bytes are lines of JSON, so that a mutator can know more of them.
    """

    check: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]
    has_lines: bool = True


# --- what must hold ------------------------------------------------------------------------------


def a_record(data: bytes) -> None:
    """A line of either agent is values, and none of them larger than it may be."""
    line = data.replace(b"\n", b" ")
    if not line.strip(b" \t\r"):
        return
    _hold(test_decoding, line, "the_pieces_of_a_line", "the_cut_out_bytes")
    _hold(test_rollouts, line, "no_bytes_stop")
    for block in content_of(line).blocks:
        for text in _strings(block):
            assert len(text) <= max(TEXT_LIMIT, len(line))
            text.encode()
    said = said_on(line)
    if agent_of(line) != "codex":
        assert said == general(line)
    for piece in said:
        for each in piece.texts:
            each.text.encode()
    picture_in(line, 0)


def a_transcript(data: bytes) -> None:
    """The same bytes in any portions are the same index, whichever way lines are folded."""
    index, reader = TranscriptIndex(SESSION), TranscriptReader()
    for chunk in _cut(data):
        index.apply(reader.feed(chunk))
        index.apply_tail(reader.offset, reader.tail)
    assert state(index) == state(index_of(data))
    _hold(test_decoding, data, "offset_and_length", "every_line_of_a_file")
    test_usual_lines.agree(data)


def a_graph(data: bytes) -> None:
    """Chain, leaf, request and tree of any client hold together, also while the file grows."""
    version = _one_of(test_paths.VERSIONS, data)
    with patch.object(test_paths, "VERSIONS", [version]):
        _hold(test_paths, data, "the_leaf", "a_path_repeats", "a_path_begins", "children_and")
    with patch.object(test_branches, "VERSIONS", [version]):
        _hold(test_branches, data, "every_main", "segments_are", "abandoned_lines")
    test_growth.check(data, [version], torn=True, every=3)
    test_growing_calls.check(data, torn=True, every=3)


def checkpoints(data: bytes) -> None:
    """Versions are what entries say, and a restore uses nothing but these."""
    conversation = Conversation(index_of(data))
    _hold(
        test_checkpoints,
        conversation,
        *("every_version", "every_entry", "before_a_prompt", "checkpoints_follow", "a_restore"),
    )
    _hold(test_checkpoints, data, "going_back_drops")


def cache_of(data: bytes) -> None:
    """Requests are the same in any steps, and count nothing that is below zero."""
    test_growing_requests.check(data, torn=True, every=3)
    for request in requests_of(Conversation(index_of(data)), ()):
        usage = request.usage
        assert min(usage.input, usage.cache_read, usage.output) >= 0


def a_rollout(data: bytes) -> None:
    """What an index knows of a rollout depends on its bytes alone."""
    index, reader = TranscriptIndex(test_rollouts.THREAD, agent="codex"), TranscriptReader()
    for chunk in _cut(data):
        index.apply(reader.feed(chunk))
        index.apply_tail(reader.offset, reader.tail)
    assert test_rollouts.told(index) == test_rollouts.told(test_rollouts.Rollout(data).index)
    _hold(test_rollouts, data, "one_that_grows", "the_graph_is")


def a_patch(data: bytes) -> None:
    """A patch is read or refused with a sentence; what is undone leads to where it came from."""
    text = data.decode(errors="replace")
    read = [patch_in_text(text), patch_in_command(text), changes_in_event(_json(text))]
    content = text[: len(text) // 2]
    for each in read:
        for change in each.changes if each is not None else ():
            before = undone(change, content)
            if isinstance(before, Done) and before.text is not None and change.kind == "update":
                after = applied(change, before.text)
                assert isinstance(after, Done)
                assert after.text == content
            applied(change, content)
    hunks_of(text)


def a_redaction(data: bytes) -> None:
    """What was found stands nowhere any more, and taking out twice is taking out once."""
    text = data.decode(errors="replace")
    finder = Finder(What(secrets=True, paths=True, names=True))
    finder.look(text)
    value = _json(text)
    finder.look(value)
    redactor = finder.done()
    once = redactor.text(text)
    assert redactor.text(once) == once
    assert len(once) <= 40 * len(text) + 40
    clean = redactor.value(value)
    assert type(clean) is type(value)


def a_search(data: bytes) -> None:
    """Any text is a query that the table can answer, or says which part of it is wrong."""
    said, _, text = data.decode(errors="replace").partition("\n")
    query = parse(said)
    if isinstance(query, Misfit):
        assert 0 <= query.start <= query.end <= max(len(said), MOST_CHARACTERS)
        assert query.sentence.endswith(".")
        return
    hits(_demo(), query)
    snippet = snippet_of(text, query.phrases)
    if snippet is not None:
        assert len(snippet.text) <= LENGTH + 2
        assert "\n" not in snippet.text
        for start, end in snippet.ranges:
            assert 0 <= start < end <= len(snippet.text)


def unpacking(data: bytes) -> None:
    """Bytes are no zstd, or give as many bytes as were asked for at most."""
    try:
        unpacked = Unpacked(iter([data]), most=100_000)
        given = 0
        while chunk := unpacked.read(4096):
            assert len(chunk) <= 4096
            given += len(chunk)
        assert given <= 100_000
    except CannotUnpack:
        pass


# --- what is begun with --------------------------------------------------------------------------


def _transcripts(*folders: str) -> list[bytes]:
    paths = [
        path
        for root in (CASES, ORACLE / "probes")
        for path in sorted(root.rglob("*.jsonl"))
        if path.stat().st_size < SMALL and "sessions" not in path.parts
    ]
    named = [path for path in paths if not folders or any(each in str(path) for each in folders)]
    return [path.read_bytes() for path in named[:40]]


def _conversations() -> list[bytes]:
    texts = [
        "u1 a1 u2 a2 | a1 u3 a3 >a2",
        "u1 t1+t2 | t1 r1 | t2 r2 a3 s4 q5 h6 m7",
        "u1 a1 u2 a2 | - b3 c4 u5 a6 >>a2 k7 u8",
        "u1 !u1(a.py@1) t2 +t2(a.py@2) r2 u3 ~u3(a.py@2 b.py@1-) a4",
    ]
    return [*map(transcript, texts), *_transcripts()]


def _rollouts() -> list[bytes]:
    paths = [path for path in sorted(FIXTURES.rglob("rollout-*.jsonl"))]
    return [path.read_bytes() for path in paths if path.stat().st_size < SMALL][:30]


def _rows() -> list[bytes]:
    lines = [line for data in [*_conversations(), *_rollouts()] for line in data.split(b"\n")]
    kinds = {(line[:40], len(line) // 400): line for line in lines if 0 < len(line) < 2000}
    return list(kinds.values())[:200]


def _patches() -> list[bytes]:
    return [
        b"*** Begin Patch\n*** Update File: a.py\n@@ def f\n-1\n+2\n 3\n*** End of File\n"
        b"*** Add File: b.py\n+1\n*** Delete File: c.py\n*** End Patch",
        b"apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n x\n"
        b"-y\n+z\n*** End Patch\nEOF",
        b"--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n\\ No newline at end of file\n",
        b'{"a.py":{"type":"update","unified_diff":"@@ -1 +1 @@\\n-a\\n+b\\n","move_path":null},'
        b'"b.py":{"type":"add","content":"x"},"c.py":{"type":"delete","content":"y"}}',
    ]


def _secret_texts() -> list[bytes]:
    # Made at run time: what looks like a secret must not stand in the repository.
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    block = "-----BEGIN {0} PRIVATE KEY-----\nTUlJRXBB\n-----END {0} PRIVATE KEY-----"
    texts = [
        f"export TOKEN={token}; see /home/jane/x and C:\\Users\\jane\\y, jane@example.org",
        block.format("RSA"),
        json.dumps({"password": "tr0ub4dor&3", "args": ["--token", token], "user": "jane"}),
        f"postgres://jane:s3cretpass@db.example.org/x?access_token={token}",
        "[secret 1: github-token] [user 1]",
    ]
    return [text.encode() for text in texts]


def _questions() -> list[bytes]:
    texts = [
        'login "of the" cart* file:"a b.py" tool:Edit in:outputs is:error\nthe login of the cart',
        "after:2026-05 before:2027-01-01T10:00 branch:main model:opus is:abandoned\nx",
        'ＣＡＦÉ "한국어" 错误* in:subagents\ncafé 한국어 错误 x',
        '"a" NEAR(b, 2) AND OR NOT ^c {d} col:e f+g -h\na b c',
    ]
    return [text.encode() for text in texts]


def _packed() -> list[bytes]:
    return [path.read_bytes() for path in sorted(FIXTURES.rglob("*.zst"))][:3]


@cache
def _demo() -> Catalog:
    catalog = Catalog([FIXTURES / "demo" / "home"])
    fill(catalog)
    return catalog


TARGETS = {
    "record": Target(a_record, _rows),
    "transcript": Target(a_transcript, _conversations),
    "graph": Target(a_graph, _conversations),
    "checkpoints": Target(checkpoints, lambda: [*_transcripts("checkpoint"), *_conversations()]),
    "cache": Target(cache_of, lambda: [*_transcripts("cache", "usage"), *_conversations()]),
    "codex": Target(a_rollout, _rollouts),
    "patch": Target(a_patch, _patches, has_lines=False),
    "redaction": Target(a_redaction, _secret_texts, has_lines=False),
    "search": Target(a_search, _questions, has_lines=False),
    "unpacking": Target(unpacking, _packed, has_lines=False),
    "rpc": Target(answers_everything, messages),
    "answers": Target(answered_of_claude_code, _conversations),
    "codexAnswers": Target(answered_of_codex, _rollouts),
}


# --- helpers -------------------------------------------------------------------------------------


def _hold(module: ModuleType, data: Any, *beginnings: str) -> None:
    """Ask what Hypothesis asks, of these bytes; tests are named by how their names begin."""
    for beginning in beginnings:
        [test] = [
            getattr(module, name) for name in vars(module) if name.startswith(f"test_{beginning}")
        ]
        test.hypothesis.inner_test(data)


def _one_of(some: Sequence[str], data: bytes) -> str:
    return some[crc32(data) % len(some)]


def _cut(data: bytes) -> list[bytes]:
    """Bytes in three chunks, at places that depend on the bytes."""
    one, other = sorted(crc32(data + end) % (len(data) + 1) for end in (b"a", b"b"))
    return [data[:one], data[one:other], data[other:]]


def _strings(value: object) -> list[str]:
    fields = [getattr(value, name, None) for name in getattr(value, "__struct_fields__", ())]
    return [each for each in fields if isinstance(each, str)]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
