"""A rollout as a text to be read: the same as of any other agent, below its own name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from forkpoint.path_rows import PathRows
from forkpoint.readable import Header, readable
from forkpoint.records.record import Flag
from forkpoint.transcript_file import TranscriptFile
from tests.fixture_paths import FIXTURES
from tests.rollouts import Rollout, read_rollout

[SHOP] = (FIXTURES / "codex" / "shop").rglob("*.jsonl")
ORIGIN, FORK = sorted((FIXTURES / "codex" / "fork").rglob("*.jsonl"))


class Bodies:
    """What is asked of a file, from the bytes that were read."""

    def __init__(self, told: Rollout) -> None:
        self._told = told

    def bodies(self, rows: Iterable[int]) -> list[bytes]:
        return [self._told.line(row) for row in rows]


def text_of(told: Rollout) -> str:
    path = told.conversation.path()
    file = cast("TranscriptFile", Bodies(told))
    rows = PathRows(told.index, file, path.entries, agent_of=lambda _: None)
    header = Header(told.title(), told.index.summary.first_cwd, "0199c000", "0.146.0")
    return readable(header, rows).text


def test_what_a_fork_copied_is_inherited_and_what_it_went_on_with_its_own() -> None:
    nodes = (told := read_rollout(FORK)).index.nodes
    said = {told.text(row): nodes.has(row, Flag.COPIED) for row in told.rows()}
    assert said == {
        "What does cart.py do?": True,
        "It adds up prices.": True,
        "Leave the total, round each price": False,
        "Each price is rounded.": False,
    }
    origin = read_rollout(ORIGIN).index
    shared = {*told.index.joins.message_ids} & {*origin.joins.message_ids}
    assert shared == {origin.joins.message_ids[0]}


def test_a_session_with_all_that_codex_writes() -> None:
    assert text_of(read_rollout(SHOP)).replace("\u2212", "-") == PICTURE


PICTURE = r"""# Round the total to cents and test it

- Project: /home/dev/shop
- Session: 0199c000
- Client: 0.146.0

# Before the compaction: readable, not sent again

· Context: \<permissions instructions>Write in the workspace only.\</permissions instructions>
· Context: \<environment_context> \<cwd>/home/dev/shop\</cwd> \</environment_context>
```text
<environment_context>
  <cwd>/home/dev/shop</cwd>
</environment_context>
```

## 1. Round the total to cents and test it
You · 2026-09-01 09:00 UTC · 4 answers, 6,580 tokens of context, 560 generated

### Codex (gpt-5.2-codex) · 2026-09-01 09:00 UTC

<details><summary>Thinking</summary>

    **Looking at the cart**

</details>

    I will look at the cart first.

▸ exec_command: cat cart.py · ok
```text
Chunk ID: 1a2b3c
Wall time: 0.1 seconds
Process exited with code 0
Output:
def total(items):
    return sum(item.price for item in items)
```

▸ apply_patch cart.py · +1 -1 · ok

▸ apply_patch test_cart.py · +5 -0 · ok

◂ apply_patch cart.py
```text
Exit code: 0
Wall time: 0 seconds
Output:
Success. Updated the following files:
A tests/test_cart.py
M cart.py
```

▸ exec_command: python -m pytest -q · failed
◂ failed
```text
Chunk ID: 4d5e6f
Wall time: 0.6 seconds
Process exited with code 1
Output:
E   ModuleNotFoundError: No module named 'cart'
```

    The test does not find the module: I leave it to you where tests are run.

## 2. Run them from the root
You · 2026-09-01 09:01 UTC · 1 answer, 7,600 tokens of context, 100 generated

### Codex · 2026-09-01 09:01 UTC

▸ web_search: pytest rootdir · ok
▸ exec_command: python -m pytest -q --rootdir . · interrupted

· Interrupted: The user interrupted the turn on purpose.

# Since the compaction

## Compaction
2026-09-01 09:01 UTC · 7,600 tokens before

    Another model began this: the total is rounded, one test does not run yet.

## 3. Is it done?
You · 2026-09-01 09:01 UTC · 1 answer, 2,040 tokens of context, 40 generated

### Codex · 2026-09-01 09:01 UTC

    The total is rounded; the test still has to find cart.py.
"""
