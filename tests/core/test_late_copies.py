"""First copies that were made behind the edit, and the results that tell what it replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from forkpoint.index import TranscriptIndex
from forkpoint.late_copies import late_copies
from forkpoint.records.edits import original_in
from forkpoint.session import Conversation
from tests.builders import (
    CWD,
    Fields,
    assistant,
    backup,
    call_block,
    index_of,
    name_of,
    result_block,
    transcript,
)
from tests.fixture_paths import REAL

CART = f"{CWD}/cart.py"
COPY = backup("cart.py", 1)["backupFileName"]


def reader(index: TranscriptIndex, data: bytes) -> Callable[[Sequence[int]], list[bytes]]:
    nodes = index.nodes

    def bodies(rows: Sequence[int]) -> list[bytes]:
        return [data[nodes.offset[row] :][: nodes.length[row]] for row in rows]

    return bodies


def late(data: bytes, copies: Mapping[str, bytes]) -> dict[str, str]:
    """The row whose result tells more, by the file's path below the directory."""
    index = index_of(data)
    found = late_copies(Conversation(index), reader(index, data), copies.get)
    names = {path: name_of(index.nodes.uuid(row) or "") for path, row in found.items()}
    return {path.removeprefix(f"{CWD}/"): name for path, name in names.items()}


def edited(number: str, original: Any, tool: str = "Edit", path: str = CART) -> dict[str, Fields]:
    """A call that edits a file, and its result."""
    return {
        f"t{number}": assistant(f"t{number}", call_block(number, tool, file_path=path)),
        f"r{number}": {"toolUseResult": {"filePath": path, "originalFile": original}},
    }


TEXT = "!u1() u1 t1 ~u1(cart.py@1) r1 a1"
FAILED = {"message": {"content": [result_block("1", is_error=True)]}}


@pytest.mark.parametrize(
    ("text", "fields", "copy", "expected"),
    [
        (TEXT, edited("1", "old\n"), b"new\n", {"cart.py": "r1"}),
        (TEXT, edited("1", "old\n"), b"old\n", {}),
        (TEXT, edited("1", "old\n", "Write"), b"new\n", {"cart.py": "r1"}),
        # The copy is gone: the result still tells.
        (TEXT, edited("1", "old\n"), None, {"cart.py": "r1"}),
        # Nothing is told.
        (TEXT, edited("1", None), b"new\n", {}),
        (TEXT, edited("1", 5), b"new\n", {}),
        # The result is a text; a mark and line ends are the file's own.
        (TEXT, edited("1", "a\nb\n"), b"\xef\xbb\xbfa\r\nb\r\n", {}),
        (TEXT, edited("1", "a\r\nb\r\n"), b"a\nb\n", {}),
        # The first edit counts, and only one that went well.
        (
            "!u1() u1 t1 ~u1(cart.py@1) r1 t2 r2 a1",
            edited("1", "old\n") | edited("2", "new\n"),
            b"new\n",
            {"cart.py": "r1"},
        ),
        (
            "!u1() u1 t1 ~u1(cart.py@1) r1 t2 r2 a1",
            edited("1", "old\n") | edited("2", "new\n"),
            b"old\n",
            {},
        ),
        (
            "!u1() u1 t1 r1 t2 ~u1(cart.py@1) r2 a1",
            edited("1", "old\n") | {"r1": FAILED} | edited("2", "other\n"),
            b"new\n",
            {"cart.py": "r2"},
        ),
        ("!u1() u1 t1 ~u1(cart.py@1)", edited("1", "old\n"), b"new\n", {}),
        (TEXT, edited("1", "old\n", "Read"), b"new\n", {}),
        (TEXT, edited("1", "old\n", path=f"{CWD}/tax.py"), b"new\n", {}),
        # Only a first version can be too late: what did not exist has none, later ones are in time.
        ("!u1() u1 t1 ~u1(cart.py@1-) r1", edited("1", "old\n"), b"new\n", {}),
        ("!u1(cart.py@2) u1 t1 r1", edited("1", "old\n"), b"new\n", {}),
        # A relative path in the call is below the directory, as its key is.
        (TEXT, edited("1", "old\n", path="cart.py"), b"new\n", {"cart.py": "r1"}),
    ],
)
def test_which_results_tell_more(
    text: str, fields: dict[str, Fields], copy: bytes | None, expected: dict[str, str]
) -> None:
    data = transcript(text, version="2.0.76", fields=fields)
    copies = {} if copy is None else {COPY: copy}
    assert late(data, copies) == expected


@pytest.mark.parametrize(("version", "is_late"), [("2.0.76", True), ("2.1.100", False)])
def test_only_old_clients_copy_late(version: str, is_late: bool) -> None:
    """A newer one that resumes the session does not make the first copies later."""
    data = transcript(TEXT, version=version, fields=edited("1", "old\n"))
    data += transcript("| a1 u2 a2", start=60)
    assert late(data, {COPY: b"new\n"}) == ({"cart.py": "r1"} if is_late else {})


def test_the_recorded_session_has_two() -> None:
    """2.0.76 copied `cart.py` and `tax.py` behind their first edits."""
    [path] = (REAL / "v_2_0_76" / "projects").glob("*/287b2769*.jsonl")
    copies = {
        file.name: file.read_bytes()
        for file in (REAL / "v_2_0_76" / "file-history" / path.stem).iterdir()
    }
    data = path.read_bytes()
    index = index_of(data, path.stem)
    bodies = reader(index, data)
    found = late_copies(Conversation(index), bodies, copies.get)
    assert {name: original_in(bodies([row])[0]) for name, row in found.items()} == {
        CART: "def total(items):\n    return sum(i['price'] for i in items)\n",
        f"{CWD}/tax.py": "RATE = 0.2\n\n\ndef with_tax(x):\n    return x * (1 + RATE)\n",
    }


@pytest.mark.parametrize("situation", ["b_edits", "c2_rewind_code", "v_2_1_100"])
def test_later_clients_have_none(situation: str) -> None:
    for path in (REAL / situation / "projects").glob("*/*.jsonl"):
        data = path.read_bytes()
        index = index_of(data, path.stem)
        assert late_copies(Conversation(index), reader(index, data), lambda _: b"other") == {}
