"""`forkpoint/locate` over the wire: what a call wrote, found in a file that was changed since."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from forkpoint.protocol.uri import path_of
from tests.builders import assistant, call_block, line, row, snapshot, user, uuid
from tests.disk.trees import needs_posix
from tests.e2e.edited_home import EditedHome, shown, uri
from tests.e2e.forkpoint_server import ForkpointServer, Json

TEXT = "def total(items):\n\treturn sum(items)\n\n\ndef tax(items):\n\treturn 0.2 * total(items)\n"


@pytest.fixture
def shop(tmp_path: Path, server: ForkpointServer) -> EditedHome:
    made = EditedHome(tmp_path)
    server.open(made.home)
    made.prompt("Round the total")
    return made


def found(answer: Json) -> tuple[str, list[str]]:
    assert (answer["range"] is None) == (answer["ranges"] == [])
    assert answer["range"] in (None, answer["ranges"][0] if answer["ranges"] else None)
    return answer["confidence"], shown(answer)


WRITTEN_AS = {
    "LF": TEXT.encode(),
    "CRLF": TEXT.replace("\n", "\r\n").encode(),
    "BOM": b"\xef\xbb\xbf" + TEXT.encode(),
    "no final newline": TEXT.encode().rstrip(b"\n"),
    "windows-1252": b"# caf\xe9 \x80\n" + TEXT.encode(),
    "other characters": "# 店 🙂\u2028\n".encode() + TEXT.encode(),
}
in_all_ways = pytest.mark.parametrize("written", WRITTEN_AS.values(), ids=WRITTEN_AS)


@in_all_ways
def test_an_edit_that_is_left_alone(
    shop: EditedHome, server: ForkpointServer, written: bytes
) -> None:
    cart = shop.file("cart.py", written)
    call = shop.edit(cart, ("\treturn sum(items)", "\treturn round(sum(items), 2)  # 🙂 é"))
    answer = shop.locate(server, call)
    assert found(answer) == ("exact", ["\treturn round(sum(items), 2)  # 🙂 é"])
    assert (answer["file"], answer["uuid"]) == (uri(cart), uuid("t2"))
    assert answer["sentence"] == "What this call wrote stands where it was."


@in_all_ways
def test_an_edit_below_lines_that_somebody_added(
    shop: EditedHome, server: ForkpointServer, written: bytes
) -> None:
    cart = shop.file("cart.py", written)
    call = shop.edit(cart, ("0.2", "0.1"))
    end = b"\r\n" if b"\r\n" in cart.read_bytes() else b"\n"
    data = cart.read_bytes()
    head = data[:3] if data.startswith(b"\xef\xbb\xbf") else b""
    cart.write_bytes(head + b"import os" + end + end + data[len(head) :])
    answer = shop.locate(server, call)
    assert found(answer) == ("exact", ["\treturn 0.1 * total(items)"])
    assert answer["sentence"] == "What this call wrote stands unchanged, 2 lines further down."


def test_through_later_edits(shop: EditedHome, server: ForkpointServer) -> None:
    """The lines stand twice: where the edits lead decides."""
    cart = shop.file("cart.py", "a\nb\nc\n")
    call = shop.edit(cart, ("b\n", "b\nreturn\nlog(b)\n"))
    shop.prompt("More")
    shop.edit(cart, ("a\n", "return\nlog(b)\na\n"))
    answer = shop.locate(server, call)
    assert found(answer) == ("moved", ["return\nlog(b)"])
    assert answer["range"]["start"]["line"] == 4
    shop.edit(cart, ("c\n", "c\nd\n"))
    cart.write_text(cart.read_text().replace("b\nreturn\nlog(b)", "b\nreturn 5\nlog(b)"))
    answer = shop.locate(server, call)
    assert found(answer) == ("moved", ["log(b)"])
    assert answer["range"]["start"]["line"] == 5
    assert answer["sentence"] == (
        "1 of the 2 lines that this call wrote is still there after 2 later edits by the agent."
    )


def test_through_a_copy(shop: EditedHome, server: ForkpointServer) -> None:
    """Changed by hand twice: the copy in between tells which of two lines is the call's."""
    cart = shop.file("cart.py", "one\ntwo\n")
    call = shop.edit(cart, ("one\n", "one\nlog()\n"))
    in_between = b"one\nstop()\nlog()\ntwo\n"
    shop.write(snapshot_of(shop, "cart.py", 2, in_between))
    cart.write_bytes(b"log()\none\nlog()\ntwo\n")
    answer = shop.locate(server, call)
    assert found(answer) == ("moved", ["log()"])
    assert answer["range"]["start"]["line"] == 2


def snapshot_of(shop: EditedHome, path: str, version: int, data: bytes) -> bytes:
    return snapshot("u1", {path: shop.kept(path, version, data, seconds=1000)})


def test_several_places(shop: EditedHome, server: ForkpointServer) -> None:
    text = "".join(f"line {number}\n" for number in range(30))
    cart = shop.file("cart.py", text)
    call = shop.edit(cart, ("line 3\n", "LINE 3\n"), ("line 20\n", "LINE 20\nLINE 20b\n"))
    assert found(shop.locate(server, call)) == ("exact", ["LINE 3", "LINE 20\nLINE 20b"])
    every = shop.edit(cart, ("LINE", "Line"), everywhere=True)
    answer = shop.locate(server, every)
    assert found(answer) == ("exact", ["Line 3", "Line 20\nLine 20b"])
    assert answer["sentence"].startswith("2 places were changed; this is the first.")


def test_a_file_written_anew(shop: EditedHome, server: ForkpointServer) -> None:
    new = shop.cwd / "new.py"
    created = shop.write_file(new, "a\nb\nc\n")
    assert found(shop.locate(server, created)) == ("exact", ["a\nb\nc"])
    updated = shop.write_file(new, "a\nB\nc\n")
    assert found(shop.locate(server, updated)) == ("exact", ["B"])
    assert found(shop.locate(server, created)) == ("moved", ["a\nB\nc"])


def test_text_taken_out(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", "a\nb\nc\n")
    call = shop.edit(cart, ("b\n", ""))
    answer = shop.locate(server, call)
    assert found(answer) == ("exact", [""])
    assert answer["range"]["start"] == {"line": 1, "character": 0}
    cart.write_text("x\ny\n")
    assert found(shop.locate(server, call)) == ("fileOnly", [])


def test_text_that_stands_nowhere_or_everywhere(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", "a\nb\n")
    call = shop.edit(cart, ("a\n", "log(a)\n"))
    cart.write_text("x\ny\n")
    answer = shop.locate(server, call)
    assert found(answer) == ("fileOnly", [])
    assert answer["sentence"] == "What this call wrote is no longer in the file."
    cart.write_text("x\nlog(a)\ny\nlog(a)\n")
    shop.write_file(cart, "x\n")
    shop.write_file(cart, "y\nlog(a)\nz\nlog(a)\n")
    answer = shop.locate(server, call)
    assert found(answer) == ("fileOnly", [])
    assert answer["sentence"] == (
        "What this call wrote stands 2 times in the file: which is not known."
    )


def test_a_file_outside_of_the_folder(
    shop: EditedHome, server: ForkpointServer, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere" / "notes.md"
    other.parent.mkdir()
    other.write_text("a\n")
    call = shop.edit(other, ("a", "A"))
    answer = shop.locate(server, call)
    assert (answer["file"], *found(answer)) == (uri(other), "exact", ["A"])


def test_a_path_as_the_session_spells_it(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("src/cart.py", "a\n")
    told = {"filePath": "src/cart.py", "oldString": "a", "newString": "A", "originalFile": "a\n"}
    call_input = {"file_path": "src/../src/cart.py", "old_string": "a", "new_string": "A"}
    call = shop.call("Edit", call_input, {"toolUseResult": told})
    cart.write_text("A\n")
    answer = shop.locate(server, call)
    assert (answer["file"], *found(answer)) == (uri(cart), "exact", ["A"])


@pytest.mark.parametrize(
    ("command", "renamed"),
    [
        ("mv cart.py basket.py", "basket.py"),
        ("git mv -k cart.py src && git commit -m moved", "src/cart.py"),
        ("mv cart.py x.py; mv x.py lib/", "lib/x.py"),
    ],
)
def test_a_renamed_file(
    shop: EditedHome, server: ForkpointServer, command: str, renamed: str
) -> None:
    for folder in ("src", "lib"):
        (shop.cwd / folder).mkdir()
    cart = shop.file("cart.py", TEXT)
    call = shop.edit(cart, ("0.2", "0.1"))
    shop.call("Bash", {"command": command}, {})
    moved = cart.rename(shop.cwd / renamed)
    later = shop.edit(moved, ("def total", "# All of it.\ndef total"))
    answer = shop.locate(server, call)
    assert (answer["file"], *found(answer)) == (
        uri(moved), "exact", ["\treturn 0.1 * total(items)"],
    )  # fmt: skip
    assert answer["sentence"].startswith("The file was renamed since. ")
    assert found(shop.locate(server, later)) == ("exact", ["# All of it."])


def test_a_file_that_is_gone(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", "a\n")
    call = shop.edit(cart, ("a", "A"))
    cart.rename(shop.cwd / "renamed by hand.py")
    answer = shop.locate(server, call)
    assert (answer["file"], answer["range"], answer["confidence"]) == (uri(cart), None, "fileOnly")
    assert answer["sentence"] == "The file is no longer there."


@needs_posix
def test_what_is_no_text_file_now(
    shop: EditedHome, server: ForkpointServer, tmp_path: Path
) -> None:
    cart = shop.file("cart.py", "a\n")
    call = shop.edit(cart, ("a", "A"))
    sentences: list[str] = []
    cart.write_bytes(b"\0\1")
    sentences.append(shop.locate(server, call)["sentence"])
    cart.write_bytes(b"x" * (6 << 20))
    sentences.append(shop.locate(server, call)["sentence"])
    cart.unlink()
    os.mkfifo(cart)
    sentences.append(shop.locate(server, call)["sentence"])
    cart.unlink()
    cart.mkdir()
    sentences.append(shop.locate(server, call)["sentence"])
    cart.rmdir()
    (tmp_path / "real.py").write_text("A\n")
    cart.symlink_to(tmp_path / "real.py")
    assert found(shop.locate(server, call)) == ("exact", ["A"])
    assert sentences == [
        "The file is no text.",
        "The file is too large to be looked into.",
        "What lies there now is no regular file.",
        "What lies there now is no regular file.",
    ]


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        ({"block": {"is_error": True}}, "This call failed: it changed nothing."),
        ({"block": {"is_error": True}, "toolDenialKind": "user-rejected"},
         "This call was denied: it changed nothing."),
        (None, "No result of this call is stored: whether it changed the file is not known."),
    ],
)  # fmt: skip
def test_a_call_that_did_not_end_well(
    shop: EditedHome, server: ForkpointServer, result: Json | None, sentence: str
) -> None:
    cart = shop.file("cart.py", "a\n")
    call_input = {"file_path": str(cart), "old_string": "b", "new_string": "a"}
    answer = shop.locate(server, shop.call("Edit", call_input, result))
    assert (answer["file"], *found(answer)) == (uri(cart), "fileOnly", [])
    assert answer["sentence"] == sentence


def test_what_was_read(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", TEXT)
    call = shop.read(cart, 5, 2)
    expected = ["def tax(items):\n\treturn 0.2 * total(items)"]
    assert found(shop.locate(server, call)) == ("exact", expected)
    shop.edit(cart, ("def total", "import os\n\n\ndef total"))
    answer = shop.locate(server, call)
    assert found(answer) == ("exact", expected)
    assert answer["sentence"] == "What this call read stands unchanged, 3 lines further down."
    shop.edit(cart, ("0.2", "0.1"))
    assert found(shop.locate(server, call)) == ("moved", ["def tax(items):"])


def test_calls_without_a_place(shop: EditedHome, server: ForkpointServer) -> None:
    call = shop.call("Bash", {"command": "ls"}, {})
    answer = shop.locate(server, call)
    assert (answer["file"], answer["range"]) == (None, None)
    assert answer["sentence"] == "This call works on no file."
    cart = shop.file("cart.py", "a\n")
    call = shop.call("mcp__ide__open", {"file_path": str(cart)}, {})
    answer = shop.locate(server, call)
    assert (answer["file"], answer["confidence"]) == (uri(cart), "fileOnly")


def test_a_notebook(shop: EditedHome, server: ForkpointServer) -> None:
    cells = [{"cell_type": "code", "source": ["import os\n", "x = 'é'"]}]
    text = json.dumps({"cells": cells}, indent=1, ensure_ascii=False)
    book = shop.file("book.ipynb", text)
    call_input = {"notebook_path": str(book), "cell_id": "0", "new_source": "import os\nx = 'é'"}
    call = shop.call("NotebookEdit", call_input, {})
    answer = shop.locate(server, call)
    [place] = shown(answer)
    assert answer["confidence"] == "exact"
    assert json.loads(f"[{place.strip()}]") == ["import os\n", "x = 'é'"]
    book.write_text("{}")
    assert found(shop.locate(server, call)) == ("fileOnly", [])


def test_a_subagent_s_edit(shop: EditedHome, server: ForkpointServer) -> None:
    """Its results tell nothing but that they are no errors."""
    cart = shop.file("cart.py", "a\nb\nc\n")
    shop.edit(cart, ("a\n", "A\n"))
    folder = shop.transcript.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    call_input = {"file_path": str(cart), "old_string": "b\n", "new_string": "bb\nb\n"}
    rows_of_agent = [
        row("u1", None, 30, user("Do it")),
        row("t1", "u1", 31, assistant("t1", call_block("x", "Edit", **call_input))),
        row("r1", "t1", 32, user("", message={"content": [
            {"type": "tool_result", "tool_use_id": "call_x", "content": "ok"}]})),
    ]  # fmt: skip
    (folder / "agent-a1.jsonl").write_bytes(
        b"".join(line(**{**each, "isSidechain": True, "agentId": "a1"}) for each in rows_of_agent)
    )
    cart.write_text("A\nbb\nb\nc\n")
    answer = shop.locate(server, "call_x", agentId="a1")
    assert found(answer) == ("exact", ["bb"])
    cart.write_text("new\nA\nbb\nb\nc\n")
    assert found(shop.locate(server, "call_x", agentId="a1")) == ("exact", ["bb"])


def test_a_file_that_was_put_back(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", "a\nb\n")
    call = shop.edit(cart, ("b", "B"))
    cart.write_text("a\nb\n")
    answer = shop.locate(server, call)
    assert found(answer) == ("fileOnly", [])
    assert answer["sentence"] == (
        "This edit was undone: the file was put back to what it held before."
    )


def test_paths_of_another_system(shop: EditedHome, server: ForkpointServer) -> None:
    told = {"filePath": "C:\\shop\\a.py", "oldString": "a", "newString": "A", "originalFile": "a"}
    call_input = {"file_path": "C:\\shop\\a.py", "old_string": "a", "new_string": "A"}
    answer = shop.locate(server, shop.call("Edit", call_input, {"toolUseResult": told}))
    assert path_of(answer["file"]) == "C:\\shop\\a.py"
    assert answer["sentence"] == "The file is no longer there."
