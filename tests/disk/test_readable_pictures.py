"""How situations read: what a transcript holds, and the whole text that is made of it.

Beside each text stand its folds (`first-last kind`, with `+` where they are open at first) and its
links (`line: the words that lead, kind`, and where to).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from forkpoint.catalog import Catalog
from forkpoint.lsp.features.transcript import transcript as readable
from forkpoint.protocol import types
from tests.builders import (
    SESSION,
    Fields,
    call_block,
    line,
    result_block,
    text_block,
    transcript,
    user,
    uuid,
)

MINUS = "\u2212"
CART = "/home/dev/shop/cart.py"
AGENT = "a1179cc1ea4db2add"
PNG = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
OURS = f"session%3D{SESSION}"
AT = "2026-05-28 00:00 UTC"
ONE = f"You · {AT} · 1 answer, 15 tokens of context, 5 generated"
TWO = f"You · {AT} · 2 answers, 15 tokens of context, 10 generated"
CLAUDE = f"### Claude (claude-test) · {AT}"


class Picture(NamedTuple):
    name: str
    data: bytes
    text: str
    folds: Sequence[str] = ()
    links: Sequence[tuple[str, str]] = ()
    spilled: bytes | None = None
    agent: bytes | None = None


def top(title: str = "u1") -> str:
    return f"# {title}\n\n- Project: /home/dev/shop\n- Session: {SESSION}\n- Client: 2.1.332\n"


def says(*blocks: Fields) -> Fields:
    return {"message": {"content": [*blocks]}}


def answers(number: str, content: Any, account: Any = None, **fields: Any) -> Fields:
    row = says(result_block(number, content=content, **fields))
    return row if account is None else {**row, "toolUseResult": account}


def edit(number: str, **fields: Any) -> Fields:
    return says(call_block(number, "Edit", file_path=CART, **fields))


def attached(kind: str, **fields: Any) -> Fields:
    return {"attachment": {"type": kind, **fields}}


PATCH = {
    "structuredPatch": [
        {"lines": [" def total():", "-    return 1", "+    x = 2", "+    return x"]}
    ]
}
SENT = {"rendered": [{"content": "as it is sent"}]}
LAUNCHED = {"status": "completed", "agentId": AGENT, "totalTokens": 9}

PICTURES = [
    Picture(
        "plain turns",
        transcript("u1 a1 s1 u2 a2"),
        f"""{top()}
## 1. u1
{ONE}

{CLAUDE}

    a1

· System: turn_duration {{"durationMs":5}} (not sent)

## 2. u2
{ONE}

### Claude · {AT}

    a2
""",
    ),
    Picture(
        "parallel calls, one of which edits",
        transcript(
            "u1 t1+t2 r1 r2 a1",
            fields={
                "t1": edit("1", old_string="a", new_string="b"),
                "t2": says(call_block("2", "Bash", command="npm test")),
                "r1": answers("1", "Updated.", PATCH),
                "r2": answers("2", "2 passing"),
            },
        ),
        f"""{top()}
## 1. u1
{TWO}

{CLAUDE}

▸ Edit cart.py · +2 {MINUS}1 · ok
▸ Bash: npm test · ok

◂ Edit cart.py
```text
Updated.
```

◂ Bash: npm test
```text
2 passing
```

    a1
""",
        links=[("11: Edit cart.py, file", f"file://{CART}")],
    ),
    Picture(
        "a call that fails, one that is denied, one without a result",
        transcript(
            "u1 t1 r1 t2 r2 t3",
            fields={
                "t1": edit("1", old_string="a", new_string="b"),
                "t2": says(call_block("2", "Bash", command="rm -r .")),
                "t3": says(call_block("3", "Read", file_path=CART)),
                "r1": answers("1", "String not found.", is_error=True),
                "r2": {
                    **answers("2", "Not allowed.", is_error=True),
                    "toolDenialKind": "permission-rule",
                },
            },
        ),
        f"""{top()}
## 1. u1
You · {AT} · 3 answers, 15 tokens of context, 15 generated

{CLAUDE}

▸ Edit cart.py · failed
◂ failed
```text
String not found.
```

▸ Bash: rm -r . · denied
◂ failed
```text
Not allowed.
```

▸ Read cart.py · no result
""",
        links=[
            ("11: Edit cart.py, file", f"file://{CART}"),
            ("23: Read cart.py, file", f"file://{CART}"),
        ],
    ),
    Picture(
        "thinking",
        transcript(
            "u1 a1+a2",
            fields={"a1": says({"type": "thinking", "thinking": "One test.\nTwo places."})},
        ),
        f"""{top()}
## 1. u1
{ONE}

{CLAUDE}

<details><summary>Thinking</summary>

    One test.
    Two places.

</details>

    a2
""",
        folds=["11-16 thinking"],
    ),
    Picture(
        "pictures in a prompt and in a result",
        transcript(
            "u1 t1 r1 a1",
            fields={
                "u1": says(text_block("Compare"), {"type": "image", "source": PNG}),
                "t1": says(call_block("1", "Read", file_path="/home/dev/shop/logo.png")),
                "r1": answers("1", [{"type": "image", "source": PNG}]),
            },
        ),
        f"""{top("Compare")}
## 1. Compare
{TWO}

    Compare

▸ Image: image/png, 3 bytes

{CLAUDE}

▸ Read logo.png · ok
▸ Image: image/png, 3 bytes

    a1
""",
        links=[
            (
                "11: Image: image/png, 3 bytes, image",
                f"forkpoint-transcript:/Compare%20%28image%200.0%29.png?{OURS}%26image%3D0.0",
            ),
            ("15: Read logo.png, file", "file:///home/dev/shop/logo.png"),
            (
                "16: Image: image/png, 3 bytes, image",
                f"forkpoint-transcript:/Compare%20%28image%202.0%29.png?{OURS}%26image%3D2.0",
            ),
        ],
    ),
    Picture(
        "a compaction",
        transcript(
            "u1 a1 u2 a2 b1 c1 u3 a3",
            fields={
                "b1": {
                    "compactMetadata": {
                        "trigger": "auto",
                        "preTokens": 90_000,
                        "postTokens": 12_000,
                    }
                }
            },
        ),
        f"""{top()}
# Before the compaction: readable, not sent again

## 1. u1
{ONE}

{CLAUDE}

    a1

## 2. u2
{ONE}

### Claude · {AT}

    a2

# Since the compaction

## Compaction
{AT} · by itself · 90,000 tokens before · 12,000 after
(not sent)

### Summary of what came before

    c1

## 3. u3
You · 2026-05-28 00:01 UTC · 1 answer, 15 tokens of context, 5 generated

### Claude · 2026-05-28 00:01 UTC

    a3
""",
        folds=["6-20 summarized"],
    ),
    Picture(
        "a rewind: the branch that was left has a row that leads to it",
        transcript("u1 a1 u2 a2 t1 r1 | a1 u3 a3 >a3", fields={"u2": user("Lower the tax")}),
        f"""{top()}
▸ Not on this path: 5 records
· Branch: Lower the tax (4 records)
· State line (1 record)

## 1. u1
{ONE}

{CLAUDE}

    a1

## 2. u3
You · 2026-05-28 00:01 UTC · 1 answer, 15 tokens of context, 5 generated

### Claude · 2026-05-28 00:01 UTC

    a3
""",
        folds=["6-8 elsewhere"],
        links=[
            (
                "7: Branch: Lower the tax, branch",
                f"forkpoint-transcript:/u1%20%28branch%2000000000%29.md?{OURS}%26leaf%3D{uuid('r1')}",
            )
        ],
    ),
    Picture(
        "a subagent below the call that sent it",
        transcript(
            "u1 t1 r1 a1",
            fields={
                "t1": says(
                    call_block(
                        "1", "Agent", description="Look for tests", prompt="Are there tests?"
                    )
                ),
                "r1": answers("1", "There are none.", LAUNCHED),
            },
        ),
        f"""{top()}
## 1. u1
{TWO}

{CLAUDE}

▸ Agent: Look for tests · ok
▸ Subagent {AGENT}: its transcript
```text
There are none.
```

    a1
""",
        links=[
            (
                f"12: Subagent {AGENT}: its transcript, subagent",
                f"forkpoint-transcript:/u1%20%28subagent%20a1179cc1%29.md?{OURS}%26agent%3D{AGENT}",
            )
        ],
        agent=transcript("u1 a1"),
    ),
    Picture(
        "what the client puts in: attachments in a row, a reminder, files in a prompt",
        transcript(
            "u1 h1 h2 h3 a1 m1 u2 h4 a2",
            fields={
                "h1": {**attached("date", date="2026-05-28"), **SENT},
                "h2": {**attached("skill_listing"), **SENT},
                "h3": attached("prompt_snapshot"),
                "m1": user("<system-reminder>Be brief.\n\nBe kind.</system-reminder>", isMeta=True),
                "u2": says(
                    text_block("<ide_opened_file>cart.py\nis open</ide_opened_file>"),
                    text_block("Fix it"),
                ),
                "h4": {**attached("file", filename="cart.py"), **SENT},
            },
        ),
        f"""{top()}
## 1. u1
{ONE}

· 3 attachments of the client
· Attachment: date: 2026-05-28
· Attachment: skill_listing
· Attachment: prompt_snapshot (not sent)

{CLAUDE}

    a1

· Context: \\<system-reminder>Be brief. Be kind.\\</system-reminder>
```text
<system-reminder>Be brief.

Be kind.</system-reminder>
```

## 2. Fix it
You · 2026-05-28 00:01 UTC · 1 answer, 15 tokens of context, 5 generated

· Context: \\<ide_opened_file>cart.py is open\\</ide_opened_file>
```text
<ide_opened_file>cart.py
is open</ide_opened_file>
```

    Fix it

· Attachment: file: cart.py

### Claude · 2026-05-28 00:01 UTC

    a2
""",
        folds=["9-12 attachments", "18-23 context", "28-32 context"],
    ),
    Picture(
        "an output that lies in a file of its own, and one that was coloured",
        transcript(
            "u1 t1 r1 t2 r2",
            fields={
                "t1": says(call_block("1", "Bash", command="cat log")),
                "t2": says(call_block("2", "Bash", command="npm test")),
                "r1": answers(
                    "1",
                    "<persisted-output>\nOutput too large (2KB). Full output saved to: /x/b1.txt\n",
                ),
                "r2": answers("2", "\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b[2Kend"),
            },
        ),
        f"""{top()}
## 1. u1
{TWO}

{CLAUDE}

▸ Bash: cat log · ok
```text
<persisted-output>
Output too large (2KB). Full output saved to: /x/b1.txt
```
… 2,048 bytes in all, kept in b1.txt

▸ Bash: npm test · ok
```text
red end
```
""",
        links=[
            (
                "16: b1.txt, spilled",
                f"{{root}}/projects/-home-dev-shop/{SESSION}/tool-results/b1.txt",
            )
        ],
        spilled=b"all of it",
    ),
    Picture(
        "a record of no known kind, and a line that is no record",
        transcript("u1")
        + line(type="hologram", uuid="x1", light=1)
        + b"{broken\n"
        + transcript("| u1 a1"),
        f"""{top()}
## 1. u1
{ONE}

▸ A record of no known kind, kept raw (not sent)

▸ hologram
```text
{{"type":"hologram","uuid":"x1","light":1}}
```

▸ A line that is no record, kept raw (not sent): not JSON

▸ No JSON
```text
{{broken
```

{CLAUDE}

    a1
""",
    ),
    Picture(
        "a command, a shell line, an interruption",
        transcript(
            "u1 u2 u3 u4 t1 i1",
            fields={
                "u1": user("<command-name>/cost</command-name>\n<command-args></command-args>"),
                "u2": user("<local-command-stdout>\x1b[2m$1\x1b[22m</local-command-stdout>"),
                "u3": user("<bash-input>ls</bash-input>"),
                "u4": user("<bash-stdout>cart.py</bash-stdout><bash-stderr></bash-stderr>"),
                "t1": says(call_block("1", "Bash", command="sleep 9")),
            },
        ),
        f"""{top("! ls")}
## 1. /cost
You · {AT}

```text
$1
```

## 2. ! ls
{ONE}

```text
cart.py
```

{CLAUDE}

▸ Bash: sleep 9 · interrupted (not sent)

· Interrupted: [Request interrupted by user]
""",
    ),
    Picture(
        "links, markup and commands that somebody planted",
        transcript(
            "u1 a1",
            fields={
                "u1": user("[run](command:workbench.action.quit) <img src=x onerror=alert(1)>"),
                "a1": says(text_block("# [a](command:b)\n<script>alert(1)</script>")),
            },
        ),
        f"""# [run]\\(command:workbench.action.quit) \\<img src=x onerror=alert(1)>

- Project: /home/dev/shop
- Session: {SESSION}
- Client: 2.1.332

## 1. [run]\\(command:workbench.action.quit) \\<img src=x onerror=alert(1)>
{ONE}

    [run](command:workbench.action.quit) <img src=x onerror=alert(1)>

{CLAUDE}

    # [a](command:b)
    <script>alert(1)</script>
""",
    ),
]


def place(root: Path, picture: Picture) -> None:
    folder = root / "projects" / "-home-dev-shop"
    beside = folder / SESSION
    folder.mkdir(parents=True)
    (folder / f"{SESSION}.jsonl").write_bytes(picture.data)
    if picture.spilled is not None:
        (beside / "tool-results").mkdir(parents=True)
        (beside / "tool-results" / "b1.txt").write_bytes(picture.spilled)
    if picture.agent is not None:
        (beside / "subagents").mkdir(parents=True)
        (beside / "subagents" / f"agent-{AGENT}.jsonl").write_bytes(picture.agent)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_picture(picture: Picture, tmp_path: Path) -> None:
    place(tmp_path, picture)
    read = readable(Catalog([tmp_path]), types.TranscriptParams(session_id=SESSION))
    assert read.text == picture.text
    folds = [f"{f.line}-{f.end_line} {f.kind}{'' if f.folded else '+'}" for f in read.folds]
    assert folds == [*picture.folds]
    lines = read.text.split("\n")
    links = [
        f"{link.line}: {lines[link.line][link.start : link.end]}, {link.kind}"
        for link in read.links
    ]
    assert links == [link for link, _ in picture.links]
    assert [link.target for link in read.links] == [
        target.format(root=tmp_path.as_uri()) for _, target in picture.links
    ]
