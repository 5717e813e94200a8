"""Where does a conversation stand before its next request (cache-rules.md 7.1 to 7.3)?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from forkpoint.cache.idle import Moment
from forkpoint.cache.request_log import RequestLog
from forkpoint.cache.requests import requests_of
from forkpoint.cache.standing import Standing, StandingReader
from forkpoint.nodes import milliseconds
from forkpoint.session import Conversation
from tests.builders import (
    SESSION,
    Fields,
    call_block,
    index_of,
    kept,
    line,
    name_of,
    result_block,
    timestamp,
    transcript,
    uuid,
)


class Known:
    """An indexed transcript and its reader."""

    def __init__(self, data: bytes, version: str | None = None) -> None:
        self.data, self.index = data, index_of(data)
        conversation = Conversation(self.index)
        log = RequestLog(self.index.sent_requests, self.lines)
        requests = requests_of(conversation, ())
        self.reader = StandingReader(conversation, requests, self.bodies, log, version)

    def bodies(self, rows: Sequence[int]) -> list[bytes]:
        return self.lines([self.index.nodes.body_of.get(row, row) for row in rows])

    def lines(self, rows: Sequence[int]) -> list[bytes]:
        nodes = self.index.nodes
        return [self.data[nodes.offset[row] :][: nodes.length[row]] for row in rows]

    def at(self, prompt: str | None) -> Standing:
        """Before a prompt, or at the end."""
        if prompt is None:
            return self.reader.at_leaf()
        row = self.index.nodes.find(uuid(prompt))
        assert row is not None
        return self.reader.before(row)

    def name(self, row: int) -> str:
        return name_of(self.index.nodes.uuid(row) or "")


def standing(
    text: str, before: str | None = None, version: str | None = None, **fields: Any
) -> Standing:
    """Where the rows of a text stand; see `tests.builders` for the language."""
    return Known(transcript(text, fields=fields), version).at(before)


def answer(
    read: int = 0, short: int = 0, hour: int = 0, asked: str | None = None, **row: Any
) -> Fields:
    """An answer's row by its tokens: read, and written for five minutes and for an hour."""
    usage = {
        "input_tokens": 5,
        "output_tokens": 20,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": short + hour,
        "cache_creation": {"ephemeral_5m_input_tokens": short, "ephemeral_1h_input_tokens": hour},
    }
    told = {} if asked is None else {"promptCacheRequested": asked}
    return {"message": {"usage": usage}, **told, **row}


def seconds(used: Moment | None) -> tuple[float, float] | None:
    """A moment as the builder's seconds."""
    if used is None:
        return None
    start = milliseconds(timestamp(0))
    return (used.earliest - start) / 1000, (used.latest - start) / 1000


ERROR = {"isApiErrorMessage": True, "message": {"model": "<synthetic>"}}
SYNTHETIC = {"message": {"model": "<synthetic>"}}
BOUNDARY = {"compactMetadata": {"postTokens": 12_400, "durationMs": 5000}}

# --- the last request, and when its entry was used last ----------------------------------------

# Rows stand 10 seconds apart: u1 0, a1 10, u2 20 … A request is sent between what it answers and
# its answer. Text, before which prompt (None = the end) -> last request, used between.
LAST: dict[str, tuple[str, str | None, str | None, tuple[float, float] | None]] = {
    "the end": ("u1 a1 u2 a2", None, "a2", (20, 30)),
    "a prompt waits": ("u1 a1 u2 a2 u3", None, "a2", (20, 30)),
    "no answer yet": ("u1", None, None, None),
    "after a call": ("u1 t1 r1 a1", None, "a1", (20, 30)),
    "a call waits": ("u1 a1 u2 t1 r1", None, "t1", (20, 30)),
    "rows of one response": ("u1 a1+a2+a3", None, "a1", (0, 10)),
    "an error behind it": ("u1 a1 u2 a8", None, "a1", (0, 10)),
    "words of the client's own": ("u1 a1 u2 a9", None, "a1", (0, 10)),
    "the newer branch": ("u1 a1 u2 a2 | a1 u3 a3", None, "a3", (40, 50)),
    "as a pointer says": ("u1 a1 u2 a2 | a1 u3 a3 >>a2", None, "a2", (20, 30)),
    "a sidechain": ("u1 a1 k1", None, "a1", (0, 10)),
    # Other branches read the beginning as well.
    "used by another branch": ("u1 a1 u2 a2 | a1 u3", None, "a1", (20, 30)),
    "used far down another branch": ("u1 a1 u2 a2 u3 a3 | a1 u4", None, "a1", (40, 50)),
    "not by one that left before": ("u1 a1 u2 a2 | a1 u3 a3 | a2 u4", None, "a2", (20, 30)),
    # Back to a prompt: what goes on from the point keeps it in use.
    "back": ("u1 a1 u2 a2 u3 a3", "u3", "a2", (40, 50)),
    "back further": ("u1 a1 u2 a2 u3 a3", "u2", "a1", (40, 50)),
    "back to the first": ("u1 a1 u2 a2", "u1", None, None),
    "back on another branch": ("u1 a1 u2 a2 u3 a3 | a1 u4 a4", "u3", "a2", (40, 50)),
    "back to where branches part": ("u1 a1 u2 a2 | a1 u3 a3", "u2", "a1", (40, 50)),
    "back to the newest prompt, unanswered": ("u1 a1 u2 a2 u3", "u3", "a2", (20, 30)),
    # A compaction reads all that it summarizes: 5 seconds, until its boundary is written.
    "back behind a compaction": ("u1 a1 u2 a2 b1 c1 u3 a3", "u2", "a1", (35, 40)),
    "back to the prompt behind one": ("u1 a1 b1 c1 u2 a2 u3 a3", "u3", "a2", (60, 70)),
    "just compacted": ("u1 a1 u2 a2 b1 c1", None, "a2", (20, 30)),
}


@pytest.mark.parametrize(("text", "before", "last", "used"), LAST.values(), ids=LAST)
def test_last_request(
    text: str, before: str | None, last: str | None, used: tuple[float, float] | None
) -> None:
    known = Known(transcript(text, fields={"a8": ERROR, "a9": SYNTHETIC, "b1": BOUNDARY}))
    found = known.at(before)
    name = None if found.request is None else known.name(found.request.row)
    assert (name, seconds(found.used)) == (last, used)


def test_before_the_first_prompt_there_is_nothing() -> None:
    found = standing("u1 a1 u2 a2", "u1", a1=answer(hour=9))
    assert found == Standing(
        request=None, blocks=(), answer=None, used=None, lifetime=None, lifetime_source="",
        was_longer=False, cached_before=False, prompt=None, defers_tools=False, edited=False,
        edited_before=False, images=0, summarized=False, compacted=None, first=None,
    )  # fmt: skip


def test_blocks_are_the_rows_of_the_answer() -> None:
    assert len(standing("u1 a1 u2 a2+a3+t1").blocks) == 3
    assert len(standing("u1 a1+t1 u2 a2", "u2").blocks) == 2


def test_the_answer_is_that_of_who_used_the_entry_last() -> None:
    """Its version and directory are what a change is held against."""
    other = {"a2": {"version": "2.1.300"}}
    found = standing("u1 a1 u2 a2 | a1 u3", **other)
    assert found.answer is not None and found.answer.version == "2.1.300"
    found = standing("u1 a1 u2 a2 | a1 u3 a3", **other)
    assert found.answer is not None and found.answer.version == "2.1.332"


def test_the_last_row_of_a_response_has_its_final_words() -> None:
    found = standing("u1 a1+a2", a1={"effort": "low"}, a2={"effort": "high"})
    assert found.answer is not None and found.answer.effort == "high"


def test_the_first_request() -> None:
    found = standing("u1 a1 u2 a2 | a1 u3 a3", a1=answer(hour=700))
    assert found.first is not None and found.first.written == 700


# --- times -------------------------------------------------------------------------------------


def kept_request(at: float, request_id: str = "one", **fields: Any) -> bytes:
    return line(
        type="api-request", id=request_id, timestamp=timestamp(at), sessionId=SESSION, **fields
    )


def test_a_kept_request_tells_the_moment() -> None:
    data = kept_request(23.5) + transcript("u1 a1 u2 a2", fields={"a2": {"requestRef": "one"}})
    assert seconds(Known(data).at(None).used) == (23.5, 23.5)


def test_a_kept_request_of_another_answer_does_not() -> None:
    data = kept_request(23.5, "two") + transcript("u1 a1", fields={"a1": {"requestRef": "one"}})
    assert seconds(Known(data).at(None).used) == (0, 10)


@pytest.mark.parametrize(
    "times",
    [
        {"u2": {"timestamp": None}},
        {"a2": {"timestamp": None}},
        {"u2": {"timestamp": timestamp(99)}},
    ],
    ids=["no time of the prompt", "no time of the answer", "backwards"],
)
def test_without_sound_times_nobody_knows(times: Mapping[str, Fields]) -> None:
    assert standing("u1 a1 u2 a2", **times).used is None


# --- lifetime (7.3) ----------------------------------------------------------------------------

ASKED, WRITTEN = "promptCacheRequested", "usage.cache_creation"
LIFETIMES: dict[str, tuple[list[Fields], tuple[str | None, str]]] = {
    "asked for an hour": ([answer(hour=9, asked="1h")], ("1h", ASKED)),
    "asked for five minutes": ([answer(short=9, asked="5m")], ("5m", ASKED)),
    "asked for none": ([answer(asked="off")], ("off", ASKED)),
    "asked, and nothing written": ([answer(hour=9), answer(read=9, asked="5m")], ("5m", ASKED)),
    "written for an hour": ([answer(hour=9)], ("1h", WRITTEN)),
    "written for five minutes": ([answer(short=9)], ("5m", WRITTEN)),
    "written for both": ([answer(short=9, hour=9)], ("mixed", WRITTEN)),
    # A server's tool writes for five minutes, whatever was asked for (section 3).
    "written for both, as asked": ([answer(short=9, hour=9, asked="1h")], ("mixed", ASKED)),
    "only read": ([answer(hour=9), answer(read=9)], ("1h", WRITTEN)),
    "only read, of the nearest write": (
        [answer(hour=9), answer(short=9), answer(read=9), answer(read=9)],
        ("5m", WRITTEN),
    ),
    "nothing of a cache": ([answer()], (None, WRITTEN)),
    "nothing of a cache any more": ([answer(hour=9), answer()], (None, WRITTEN)),
    "only read, and nobody wrote": ([answer(read=9)], (None, WRITTEN)),
}


def turns(answers: Sequence[Fields]) -> Standing:
    names = [str(number) for number in range(1, len(answers) + 1)]
    text = " ".join(f"u{name} a{name}" for name in names)
    return standing(text, **{f"a{name}": row for name, row in zip(names, answers, strict=True)})


@pytest.mark.parametrize(("answers", "expected"), LIFETIMES.values(), ids=LIFETIMES)
def test_lifetime(answers: list[Fields], expected: tuple[str | None, str]) -> None:
    found = turns(answers)
    assert (found.lifetime, found.lifetime_source) == expected


HOUR, SHORT, NONE, READ = answer(hour=9), answer(short=9), answer(), answer(read=9)


@pytest.mark.parametrize(
    ("answers", "was_longer"),
    [
        ([HOUR, SHORT], True),
        ([HOUR, SHORT, SHORT, SHORT], True),
        ([HOUR, SHORT, READ], True),
        ([SHORT, SHORT], False),
        ([HOUR, HOUR], False),
        ([SHORT, HOUR], False),
        ([HOUR, SHORT, HOUR], False),
        ([HOUR, answer(short=9, hour=9)], False),
        ([HOUR], False),
        ([NONE], False),
    ],
)
def test_the_lifetime_fell(answers: list[Fields], was_longer: bool) -> None:
    assert turns(answers).was_longer is was_longer


def test_it_did_not_fall_on_this_way() -> None:
    text = "u1 a1 u2 a2 | a1 u3 a3"
    assert not standing(text, a1=SHORT, a2=HOUR, a3=SHORT).was_longer


@pytest.mark.parametrize(
    ("answers", "cached"),
    [([NONE], False), ([NONE, NONE], False), ([HOUR, NONE], True), ([READ], True), ([SHORT], True)],
)
def test_cache_use(answers: list[Fields], cached: bool) -> None:
    assert turns(answers).cached_before is cached


# --- compaction --------------------------------------------------------------------------------


def test_the_newest_row_is_a_compaction() -> None:
    found = standing("u1 a1 u2 a2 b1 c1", b1=BOUNDARY)
    assert found.compacted is not None and found.summarized
    assert (found.compacted.tokens, seconds(found.compacted.asked)) == (12_400, (35, 40))


def test_once_answered_it_is_a_conversation_as_any() -> None:
    found = standing("u1 a1 b1 c1 u2 a2", b1=BOUNDARY)
    assert (found.compacted, found.summarized) == (None, True)


def test_rows_that_it_kept_were_not_sent_behind_it() -> None:
    fields = {**BOUNDARY, **kept("c1", "u2", "a2")}
    fields["compactMetadata"] |= BOUNDARY["compactMetadata"]
    found = standing("u1 a1 u2 a2 b1 c1", b1=fields)
    assert found.compacted is not None and found.compacted.tokens == 12_400


@pytest.mark.parametrize(
    ("metadata", "tokens", "asked"),
    [
        ({}, None, (20, 20)),
        ({"postTokens": 0}, 0, (20, 20)),
        ({"postTokens": -1}, None, (20, 20)),
        ({"postTokens": 2_000_000_000}, None, (20, 20)),
        ({"postTokens": "many"}, None, (20, 20)),
        ({"durationMs": 7000}, None, (13, 20)),
        ({"durationMs": -7000}, None, (20, 20)),
        ({"durationMs": 10**12}, None, (20, 20)),
    ],
)
def test_what_a_boundary_tells(
    metadata: Fields, tokens: int | None, asked: tuple[float, float]
) -> None:
    compacted = standing("u1 a1 b1 c1", b1={"compactMetadata": metadata}).compacted
    assert compacted is not None
    assert (compacted.tokens, seconds(compacted.asked)) == (tokens, asked)


def test_a_boundary_without_a_time() -> None:
    compacted = standing("u1 a1 b1 c1", b1={**BOUNDARY, "timestamp": None}).compacted
    assert compacted is not None and compacted.asked is None


# --- what was recorded on the way --------------------------------------------------------------


def recorded(*tools: str) -> Fields:
    """A row that records the prompt; without tools it leaves them as they were."""
    offered = {"tools": [{"name": tool} for tool in tools]} if tools else {}
    return {"attachment": {"type": "prompt_snapshot", "systemPrompt": ["You are."], **offered}}


REBUILT = {"attachment": {"type": "prompt_render_point"}}
ANNOUNCED = {"attachment": {"type": "deferred_tools_delta", "addedNames": ["Monitor"]}}
NOT_RECORDED = "not recorded"

# h1 records Bash and Edit, h2 Bash, h3 leaves the tools as they were, h9 is a rebuild.
PROMPTS: dict[str, tuple[str, str | None, tuple[str, ...] | str | None]] = {
    "once": ("u1 h1 a1 u2 a2", None, ("Bash", "Edit")),
    "again": ("u1 h1 a1 u2 h2 a2", None, ("Bash",)),
    "tools as before": ("u1 h1 a1 u2 h3 a2", None, ("Bash", "Edit")),
    "tools never told": ("u1 h3 a1", None, None),
    "never": ("u1 a1", None, NOT_RECORDED),
    "built anew since": ("u1 h1 a1 h9 u2 a2", None, NOT_RECORDED),
    "recorded after that": ("u1 h1 a1 h9 u2 h2 a2", None, ("Bash",)),
    "only on another branch": ("u1 a1 u2 h1 a2 | a1 u3 a3", None, NOT_RECORDED),
    "built anew on another branch": ("u1 h1 a1 u2 h9 a2 | a1 u3 a3", None, ("Bash", "Edit")),
    "before a compaction": ("u1 h1 a1 b1 c1 u2 a2", None, NOT_RECORDED),
    "behind a compaction": ("u1 h1 a1 b1 c1 u2 h2 a2", None, ("Bash",)),
    "after the point": ("u1 a1 u2 h1 a2", "u2", NOT_RECORDED),
    "before the point": ("u1 h1 a1 u2 h2 a2", "u2", ("Bash", "Edit")),
}


@pytest.mark.parametrize(("text", "before", "tools"), PROMPTS.values(), ids=PROMPTS)
def test_recorded_prompt(
    text: str, before: str | None, tools: tuple[str, ...] | str | None
) -> None:
    rows = {"h1": recorded("Bash", "Edit"), "h2": recorded("Bash"), "h3": recorded()}
    prompt = standing(text, before, **rows, h9=REBUILT).prompt
    assert (NOT_RECORDED if prompt is None else prompt.tools) == tools


@pytest.mark.parametrize(
    ("text", "defers"),
    [("u1 h1 a1", True), ("u1 a1", False), ("u1 a1 u2 h1 a2 | a1 u3 a3", False)],
)
def test_tools_were_announced(text: str, defers: bool) -> None:
    assert standing(text, h1=ANNOUNCED).defers_tools is defers


# --- what was done on the way ------------------------------------------------------------------


def call(number: str, tool: str) -> Fields:
    path = {"file_path": "/home/dev/shop/a.py", "old_string": "a", "new_string": "b"}
    return {"message": {"content": [call_block(number, tool, **path)]}}


FAILED = {"message": {"content": [result_block("1", is_error=True)]}}


@pytest.mark.parametrize(
    ("text", "fields", "edits"),
    [
        ("u1 t1 r1 a1", {"t1": call("1", "Edit")}, (True, False)),
        ("u1 t1 r1 a1", {"t1": call("1", "Write")}, (True, False)),
        ("u1 t1 r1 a1", {"t1": call("1", "Read")}, (False, False)),
        ("u1 t1 r1 a1", {"t1": call("1", "Edit"), "r1": FAILED}, (False, False)),
        ("u1 t1", {"t1": call("1", "Edit")}, (False, False)),
        ("u1 a1 t1 r1 | a1 u2 a2", {"t1": call("1", "Edit")}, (False, False)),
        ("u1 t1 r1 a1 b1 c1 u2 a2", {"t1": call("1", "Edit")}, (False, True)),
        ("u1 a1 b1 c1 u2 t1 r1 a2", {"t1": call("1", "Edit")}, (True, False)),
    ],
)  # fmt: skip
def test_edits(text: str, fields: dict[str, Fields], edits: tuple[bool, bool]) -> None:
    found = standing(text, **fields)
    assert (found.edited, found.edited_before) == edits


def pictures(count: int) -> Fields:
    source = {"type": "base64", "media_type": "image/png", "data": "A" * 2000}
    return {"message": {"content": [{"type": "image", "source": source}] * count}}


QUOTED = {"message": {"content": '{"type":"image"}' + " " * 2000}}


@pytest.mark.parametrize(
    ("text", "images"),
    [
        ("u1 a1 u2 a2", 0),
        ("u3 a1 u4 a2", 5),
        ("u3 a1 u4 a2 | a1 u5 a3", 3),
        ("u3 a1 b1 c1 u4 a2 u5 a3", 2),
    ],
)
def test_pictures_on_the_way(text: str, images: int) -> None:
    """A text that only speaks of them is none."""
    rows = {"u3": pictures(2), "u4": pictures(3), "u5": pictures(1)}
    if "b1" in text:
        rows = {"u3": pictures(9), "u4": pictures(1), "u5": pictures(1)}
    assert standing(text, **rows).images == images


def test_words_about_pictures_are_none() -> None:
    assert standing("u1 a1 u2 a2", u1=QUOTED, u2=QUOTED).images == 0


FAST = {"message": {"usage": {"input_tokens": 5, "output_tokens": 5, "speed": "fast"}}}


@pytest.mark.parametrize(
    ("text", "fast"),
    [
        ("u1 a1 u2 a2", False),
        ("u1 a9 u2 a2", True),
        ("u1 a1 u2 a9", True),
        ("u1 a1 u2 a9 | a1 u3 a3", False),
    ],
)
def test_fast_mode_before(text: str, fast: bool) -> None:
    reader = Known(transcript(text, fields={"a9": FAST})).reader
    assert reader.fast_before(reader.at_leaf()) is fast


def test_an_older_client_goes_on_elsewhere() -> None:
    """Pointers are obeyed from 2.1.120 on (format.md)."""
    text = "u1 a1 u2 a2 | a1 u3 a3 >>a2"
    newest, older = standing(text), standing(text, None, "2.1.115")
    assert seconds(newest.used) == (20, 30)
    assert seconds(older.used) == (40, 50)
