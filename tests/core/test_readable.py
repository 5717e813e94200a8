"""A conversation as one text: how it looks, where each record stands, what keeps it in bounds."""

from __future__ import annotations

import re
from unittest.mock import patch

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from forkpoint import readable
from forkpoint.readable import BATCH, Header, ReadablePath, Section
from forkpoint.records.record import Role
from forkpoint.row import Row
from tests.rows import (
    NO_HEADER,
    TOP,
    ListedRows,
    attachment,
    prompt,
    response,
    result,
    row,
    system,
    thought,
    use,
    write,
)

HEADER = Header("Round the total", "/home/dev/shop", "5d5e4c1e", "2.1.332")
BOUNDARY = {"subtype": "compact_boundary", "content": "Conversation compacted"}
SESSION = [
    prompt("What does cart.py do?", fate="summarized", at="2026-11-29T20:27:36.966Z"),
    response("It adds up prices.", fate="summarized", model="claude-opus-5-5"),
    system(BOUNDARY, Role.COMPACT_BOUNDARY),
    row(Role.COMPACT_SUMMARY, "This session goes on:\n1. cart.py"),
    prompt(
        "Round the total\n\n# and test it",
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
        at="2026-11-29T20:40:00.000Z",
    ),
    attachment("date", date="2026-11-29"),
    attachment("prompt_snapshot", fate="notSent"),
    response(thought("Two places.\nOne test."), model="claude-opus-5-5"),
    response("I will round it:\n\n```python\nround(x, 2)\n```", model="claude-opus-5-5"),
    response(use("t1", "Edit", file_path="/home/dev/shop/cart.py"), model="claude-opus-5-5"),
    result("t1", "The file was updated."),
    response(use("t2", "Bash", command="npm test"), model="claude-opus-5-5"),
    response(use("t3", "Read", file_path="/home/dev/shop/tax.py"), model="claude-opus-5-5"),
    result("t2", "1 failing", is_error=True),
    result("t3", ""),
    row(Role.INJECTED, "<system-reminder>Be brief</system-reminder>"),
    response("Done.", model="claude-sonnet-5"),
    system({"subtype": "turn_duration", "durationMs": 5}),
]

PICTURE = """\
# Round the total

- Project: /home/dev/shop
- Session: 5d5e4c1e
- Client: 2.1.332

# Before the compaction: readable, not sent again

## 1. What does cart.py do?
You · 2026-11-29 20:27 UTC

### Claude (claude-opus-5-5)

    It adds up prices.

# Since the compaction

## Compaction
(not sent)

### Summary of what came before

    This session goes on:
    1. cart.py

## 2. Round the total
You · 2026-11-29 20:40 UTC

    Round the total

    # and test it

▸ Image: image/png, 3 bytes

· Attachment: date: 2026-11-29
· Attachment: prompt_snapshot (not sent)

### Claude

<details><summary>Thinking</summary>

    Two places.
    One test.

</details>

    I will round it:

    ```python
    round(x, 2)
    ```

▸ Edit cart.py
```text
The file was updated.
```

▸ Bash: npm test
▸ Read tax.py

◂ Bash: npm test failed
```text
1 failing
```

◂ Read tax.py
(no output)

· Context: \\<system-reminder>Be brief\\</system-reminder>

### Claude (claude-sonnet-5)

    Done.

· System: turn_duration {"durationMs":5} (not sent)
"""

SECTIONS = [
    (0, 0, 8, 13, "1. What does cart.py do?"),
    (1, 1, 11, 13, "It adds up prices."),
    (2, 0, 17, 23, "Compaction"),
    (3, 1, 20, 23, "Summary of what came before"),
    (4, 0, 25, 74, "2. Round the total"),
    (5, 1, 34, 34, "Attachment: date: 2026-11-29"),
    (6, 1, 35, 35, "Attachment: prompt_snapshot"),
    (7, 1, 37, 44, "Thinking"),
    (8, 1, 46, 50, "I will round it: ```python round(x, 2) ```"),
    (9, 1, 52, 52, "Edit cart.py"),
    (10, 1, 53, 55, "Result of Edit cart.py"),
    (11, 1, 57, 57, "Bash: npm test"),
    (12, 1, 58, 58, "Read tax.py"),
    (13, 1, 60, 63, "Result of Bash: npm test"),
    (14, 1, 65, 66, "Result of Read tax.py"),
    (15, 1, 68, 68, "Context: <system-reminder>Be brief</system-reminder>"),
    (16, 1, 70, 72, "Done."),
    (17, 1, 74, 74, 'System: turn_duration {"durationMs":5}'),
]


def test_a_whole_session():
    assert write(*SESSION, header=HEADER).text == PICTURE


def test_every_row_has_its_place():
    sections = write(*SESSION, header=HEADER).sections
    assert [(s.ordinal, s.level, s.line, s.end_line, s.label) for s in sections] == SECTIONS
    assert sections[3] == Section(
        ordinal=3,
        uuid="u3",
        line=20,
        end_line=23,
        label="Summary of what came before",
        role=Role.COMPACT_SUMMARY,
        fate="sent",
        level=1,
        kind="summary",
    )


def test_the_speaker_is_named_in_each_part():
    assert write(response("a", fate="summarized"), response("b")).text == (
        f"{TOP}\n# Before the compaction: readable, not sent again\n\n### Claude\n\n    a\n"
        "\n# Since the compaction\n\n### Claude\n\n    b\n"
    )


def test_a_gap_is_named():
    behind = msgspec.structs.replace(response("b"), behind_gap=True)
    assert write(response("a", fate="notSent"), behind).text == (
        f"{TOP}\n### Claude\n\n(not sent)\n\n    a\n\n# A gap: the next record's parent is missing,"
        " what stands above is not sent\n\n### Claude\n\n    b\n"
    )


# --- bounds ------------------------------------------------------------------------------------


def test_the_oldest_rows_are_left_out():
    rows = [row for n in range(100) for row in (prompt(f"Prompt {n + 1}"), response("a" * 80))]
    whole = write(*rows)
    short = write(*rows, limit=2000)
    assert len(short.text.encode()) <= 2000
    kept = len(short.sections)
    assert 20 < kept < 40
    head, left_out, *rest = short.text.removeprefix(TOP).split("\n", 2)
    assert (head, left_out) == (
        "",
        f"… {200 - kept} older records are left out here: show earlier ones",
    )
    assert whole.text.endswith(rest[0])
    assert [s.ordinal for s in short.sections] == list(range(200 - kept, 200))
    assert short.sections[-2].label == "100. Prompt 100"


def test_one_row_does_not_push_out_the_others():
    long = response(*["a" * 5000] * 10)
    text = write(prompt("a"), long, prompt("b"), response("c"), limit=10_000).text
    assert text == (
        f"{TOP}\n## 1. a\n\n### Claude\n\n▸ {'a' * 200}\n… too long to show: 50,059 bytes,"
        " which the raw file has\n\n## 2. b\n\n### Claude\n\n    c\n"
    )


def test_one_row_may_be_left_out_and_all_may():
    texts = [write(*[prompt("a")] * 3, limit=limit).text for limit in range(1000)]
    assert any("\n… 1 older record is left out here: show earlier ones\n" in t for t in texts)
    nothing = write(prompt("a"), prompt("b"), limit=0)
    assert nothing.text == f"{TOP}\n… 2 older records are left out here\n"
    assert nothing.sections == []


# --- a text that grows -------------------------------------------------------------------------


def test_the_top_stays_while_the_text_grows():
    """Rows count as 27 bytes, so 147 fit and a quarter are 36: the top is a multiple of 32."""
    written = ReadablePath(4400)
    rows = [response(f"{n:04}") for n in range(1000)]
    tops: list[int] = []
    for end in range(147, 1000):
        text = written.write(NO_HEADER, ListedRows(*rows[:end]))
        tops.append(text.sections[0].ordinal)
        assert end - tops[-1] <= 147
        assert end - tops[-1] >= 147 * 3 // 4
    assert list(dict.fromkeys(tops)) == list(range(0, 1000 - 110, 32))
    assert tops == sorted(tops)


def test_only_what_is_shown_is_read():
    rows = [prompt(f"{n:04}") for n in range(5000)]
    written = ReadablePath(4400)
    whole = ListedRows(*rows)
    shown = len(written.write(NO_HEADER, whole).sections)
    assert shown <= whole.read_rows <= (shown + 2 * BATCH) * (BATCH + 2) / BATCH
    again = ListedRows(*rows)
    written.write(NO_HEADER, again)
    assert again.read_rows == 0
    grown = ListedRows(*rows, prompt("5000"))
    assert written.write(NO_HEADER, grown).sections[-1].label == "5001. 5000"
    assert grown.read_rows <= BATCH + 2


def test_what_stands_far_before_is_known():
    """Calls, prompts and who spoke last, wherever a batch begins."""
    for distance in (1, BATCH - 1, BATCH, 3 * BATCH):
        between = [response(f"a{n}") for n in range(distance)]
        rows = [prompt("a"), response(use("t1", "Bash", command="ls")), *between]
        written = write(*rows, result("t1", "b"), prompt("c"))
        labels = [section.label for section in written.sections[-2:]]
        assert labels == ["Result of Bash: ls", "2. c"]
        assert written.sections[0].end_line == written.sections[-2].end_line
        assert written.text.count("### Claude") == 1
        assert written.text.endswith("\n◂ Bash: ls\n```text\nb\n```\n\n## 2. c\n")


def test_what_changes_above_a_batch_is_taken_in():
    """Another number of prompts, another call of a result, another line to stand close to."""
    rows = [
        prompt("a"),
        response(use("t1", "Bash", command="ls")),
        *[response(f"a{n}") for n in range(4)],
        result("t1", "b"),
        attachment("date"),
        *[attachment("date") for _ in range(4)],
        prompt("c"),
    ]
    others = [prompt("d"), response("d"), response(use("t1", "Bash", command="pwd"))]
    with patch.object(readable, "BATCH", 4):
        for place in range(len(rows)):
            for other in others:
                changed = [*rows[:place], other, *rows[place + 1 :]]
                written = ReadablePath()
                written.write(NO_HEADER, ListedRows(*rows))
                assert written.write(NO_HEADER, ListedRows(*changed)) == write(*changed)


def test_where_a_batch_begins_is_not_seen():
    picture = result("t4", [{"type": "image", "source": {"type": "base64", "data": "AAAA"}}])
    calls = [
        response(use("t4", "Read", file_path="a.png")),
        picture,
        response(use("t5", "Bash", command="ls")),
    ]
    below: set[str] = set()
    with patch.object(readable, "BATCH", 4):
        for count in range(8):
            text = write(*[attachment("date")] * count, *SESSION, *calls).text
            below.add(text.partition("\n# Before")[2])
    assert len(below) == 1
    end = "\n▸ Read a.png\n▸ Image: unknown type, 3 bytes\n▸ Bash: ls\n"
    assert below.pop().endswith(end)


# --- any text ----------------------------------------------------------------------------------

HOSTILE_WORDS = """
# ## ``` ```` ~~~ <b> <!-- <script> </details> <details> ![a](b) [a]: --- === > - 1. \\ ` ]( x ▸ …
<bash-stdout> <command-name> <ide_x> <local-command-stdout>
"""
HOSTILE = st.lists(
    st.sampled_from(
        [*HOSTILE_WORDS.split(), "\n", "\n\n", "    ", "\t", "\r", "\u2028", "\x1b[2J", "\u202e"]
    )
).map("".join)
CONTENT = st.lists(
    st.builds(lambda text: {"type": "text", "text": text}, HOSTILE)
    | st.builds(thought, HOSTILE)
    | st.builds(lambda name, text: use("t", name, command=text), HOSTILE, HOSTILE)
    | st.builds(lambda text: {"type": "tool_result", "tool_use_id": "t", "content": text}, HOSTILE)
    | st.builds(lambda name: {"type": name}, HOSTILE),
    max_size=3,
)
ROWS = st.lists(
    st.builds(
        lambda role, content, fate, at, model: row(role, *content, fate=fate, at=at, model=model),
        st.sampled_from(Role),
        CONTENT,
        st.sampled_from(["sent", "notSent"]),
        st.none() | HOSTILE,
        st.none() | HOSTILE,
    ),
    max_size=5,
)
FENCE = re.compile(r"(`{3,})text")
OURS = re.compile(
    r"|    .*|## .*|### (Claude|Summary of what came before).*|[▸◂·…] .*|(You · |Time: ).*"
    r"|<details><summary>Thinking</summary>|</details>|(\(no output\) ?)?(\(not sent\))?"
)


def outside_fences(text: str) -> list[str]:
    """The lines of a text that stand in no fence; each fence is closed by its own length."""
    lines: list[str] = []
    fence: str | None = None
    for each in text.split("\n"):
        if fence is None and (opened := FENCE.fullmatch(each)):
            fence = opened[1]
        elif fence is None:
            lines.append(each)
        elif each == fence:
            fence = None
        else:
            assert not each.lstrip().startswith(fence)
    assert fence is None
    return lines


@given(ROWS, st.sampled_from([200, 600, 10_000]))
def test_no_text_breaks_out(rows: list[Row], limit: int):
    written = write(*rows, limit=limit)
    body = written.text.removeprefix(TOP)
    ours = outside_fences(body)
    assert all(OURS.fullmatch(each) for each in ours)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e]", body)
    assert len(written.text.encode()) <= max(limit, 120)
    lines = written.text.split("\n")
    inside = 0
    for section in written.sections:
        assert section.label.strip()
        assert inside < section.line <= section.end_line < len(lines) - 1
        assert lines[section.line].startswith("## ") == (section.level == 0)
        inside = section.line if section.level == 0 else section.end_line
    turns = [section for section in written.sections if section.level == 0]
    assert len(turns) == sum(each.startswith("## ") for each in ours)


@given(
    st.lists(st.tuples(st.integers(0, 30), ROWS, ROWS), min_size=1, max_size=6),
    st.sampled_from([600, 1200, 10_000]),
)
def test_one_that_was_followed_is_one_that_is_written_at_once(
    steps: list[tuple[int, list[Row], list[Row]]], limit: int
):
    """At each step rows anywhere become others, and more rows come."""
    with patch.object(readable, "BATCH", 4):
        written = ReadablePath(limit)
        rows: list[Row] = []
        for place, others, new in steps:
            rows = [*rows[:place], *others, *rows[place + len(others) :], *new]
            followed = written.write(NO_HEADER, ListedRows(*rows))
            assert followed == write(*rows, limit=limit)
