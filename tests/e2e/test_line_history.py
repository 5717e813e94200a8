"""`forkpoint/lineHistory` over the wire: who wrote the lines of a file as it is saved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.builders import assistant, call_block, line, row, snapshot, timestamp, user, uuid
from tests.disk.trees import needs_posix
from tests.e2e.edited_home import EditedHome, uri
from tests.e2e.forkpoint_server import ForkpointServer, Json

OTHER = "aaaaaaaa-0000-4000-8000-000000000000"


@pytest.fixture
def shop(tmp_path: Path) -> EditedHome:
    return EditedHome(tmp_path)


def asked(server: ForkpointServer, path: Path) -> Json:
    """The answer of a server that was pointed at the folder just now."""
    server.open(path.parent.parent / "home")
    return server.result("lineHistory", file=uri(path))


def picture(answer: Json) -> list[str]:
    """A line per run: which lines, and who wrote them."""
    return [f"{run['line']}-{run['endLine']} {_author(answer, run)}" for run in answer["runs"]]


def _author(answer: Json, run: Json) -> str:
    if run["change"] is None:
        return run["by"]
    change = answer["changes"][run["change"]]
    left = "" if change["onActivePath"] else ", left"
    preview = change["prompt"]["preview"] if change["prompt"] else None
    return f"{change['promptNumber']} {preview} of {change['title']}{left}"


def test_prompts_of_two_sessions(shop: EditedHome, server: ForkpointServer, tmp_path: Path) -> None:
    cart = shop.file("cart.py", "a\nb\nc\nd\n")
    shop.prompt("Say hello")
    shop.prompt("Login fix")
    shop.edit(cart, ("b", "B"))
    other = EditedHome(tmp_path, session_id=OTHER)
    for _ in range(8):
        other.prompt("Colours")
    other.edit(cart, ("d", "d\ne"))
    answer = asked(server, cart)
    assert picture(answer) == [
        "0-0 older",
        "1-1 2 Login fix of Say hello",
        "2-3 older",
        "4-4 8 Colours of Colours",
    ]
    [newest, older] = [answer["changes"][index] for index in (0, 1)]
    sessions = [newest["sessionId"], older["sessionId"]]
    assert sorted(sessions) == sorted([OTHER, shop.session_id])
    assert older["at"] in (timestamp(30), timestamp(90))


def test_hand_edits_are_nobody_s(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", "a\nb\n")
    shop.prompt("First")
    shop.edit(cart, ("a", "A"))
    cart.write_text("A\nby hand\nb\n")
    shop.prompt("Second")
    shop.edit(cart, ("b\n", "B\n"))
    cart.write_text("later by hand\nA\nby hand\nB\n")
    answer = asked(server, cart)
    assert picture(answer) == [
        "0-0 outside",
        "1-1 1 First of First",
        "2-2 outside",
        "3-3 2 Second of First",
    ]
    spans = [(run["since"], run["until"]) for run in answer["runs"]]
    assert spans == [
        (timestamp(45), None),
        (None, None),
        (timestamp(25), timestamp(45)),
        (None, None),
    ]


def test_copies_tell_when_something_was_there(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", "a\n")
    shop.prompt("First")
    shop.edit(cart, ("a", "A"))
    cart.write_text("A\nby hand\n")
    copy = shop.kept("cart.py", 2, cart.read_bytes(), seconds=500)
    shop.write(snapshot("u1", {"cart.py": copy}))
    [_, run] = asked(server, cart)["runs"]
    assert (run["by"], run["since"], run["until"]) == ("outside", timestamp(25), timestamp(500))


def test_a_branch_that_was_left(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", "a\nb\n")
    first = shop.prompt("First")
    shop.prompt("Tried")
    shop.edit(cart, ("a", "A"))
    shop.back_to(first)
    shop.prompt("Better")
    shop.edit(cart, ("b", "B"))
    assert picture(asked(server, cart)) == [
        "0-0 2 Tried of First, left",
        "1-1 2 Better of First",
    ]


def test_a_new_file(shop: EditedHome, server: ForkpointServer) -> None:
    new = shop.cwd / "new.py"
    shop.prompt("Make it")
    shop.write_file(new, "a\nb\n")
    shop.prompt("Again")
    shop.write_file(new, "a\nB\n")
    assert picture(asked(server, new)) == [
        "0-0 1 Make it of Make it",
        "1-1 2 Again of Make it",
    ]


@pytest.mark.parametrize("written", ["crlf", "bom", "no final newline", "windows-1252"])
def test_as_the_file_is_written(shop: EditedHome, server: ForkpointServer, written: str) -> None:
    data = {
        "crlf": b"a\r\n\xc3\xa9\r\nb\r\n",
        "bom": b"\xef\xbb\xbfa\n\xc3\xa9\nb\n",
        "no final newline": b"a\n\xc3\xa9\nb",
        "windows-1252": b"a\n\xe9\nb\n",
    }[written]
    cart = shop.file("cart.py", data)
    shop.prompt("First")
    shop.edit(cart, ("b", "B"))
    assert picture(asked(server, cart)) == ["0-1 older", "2-2 1 First of First"]


def test_a_subagent_s_lines_came_of_the_prompt_that_sent_it(
    shop: EditedHome, server: ForkpointServer
) -> None:
    cart = shop.file("cart.py", "a\nb\n")
    shop.prompt("First")
    shop.prompt("Send somebody")
    shop.call("Agent", {"prompt": "Do it"}, {"toolUseResult": {"agentId": "a1"}})
    folder = shop.transcript.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    told = {"filePath": str(cart), "oldString": "b", "newString": "B", "originalFile": "a\nb\n"}
    call_input = {"file_path": str(cart), "old_string": "b", "new_string": "B"}
    answer = {"type": "tool_result", "tool_use_id": "call_x", "content": "ok"}
    rows_of_agent = [
        row("u1", None, 30, user("Do it")),
        row("t1", "u1", 31, assistant("t1", call_block("x", "Edit", **call_input))),
        row("r1", "t1", 32, user("", message={"content": [answer]}, toolUseResult=told)),
    ]
    (folder / "agent-a1.jsonl").write_bytes(
        b"".join(line(**{**each, "isSidechain": True, "agentId": "a1"}) for each in rows_of_agent)
    )
    cart.write_text("a\nB\n")
    answer = asked(server, cart)
    assert picture(answer) == ["0-0 older", "1-1 2 Send somebody of First"]
    [change] = answer["changes"]
    assert (change["agentId"], change["uuid"], change["ordinal"]) == ("a1", uuid("t1"), 1)


def test_a_fork_s_copies_are_the_first_session_s(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", "a\n")
    shop.prompt("First")
    shop.edit(cart, ("a", "A"))
    data = shop.transcript.read_bytes()
    forked = {"sessionId": shop.session_id, "messageUuid": uuid("u1")}
    mark = b'"forkedFrom":' + line(**forked).strip() + b',"isSidechain"'
    data = data.replace(shop.session_id.encode(), OTHER.encode()).replace(b'"isSidechain"', mark)
    shop.transcript.with_name(f"{OTHER}.jsonl").write_bytes(data)
    asked(server, cart)
    server.listed()
    [change] = asked(server, cart)["changes"]
    assert change["sessionId"] == shop.session_id


def test_failed_edits_wrote_nothing(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", "a\n")
    shop.prompt("First")
    call_input = {"file_path": str(cart), "old_string": "b", "new_string": "a"}
    shop.call("Edit", call_input, {"block": {"is_error": True}})
    answer = asked(server, cart)
    assert (answer["runs"], answer["changes"]) == ([], [])
    assert answer["sentence"] == "No session edited this file with the agent's tools."


def test_an_empty_file(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", "a\n")
    shop.prompt("First")
    shop.edit(cart, ("a", "A"))
    cart.write_bytes(b"")
    assert asked(server, cart)["runs"] == []


@needs_posix
def test_what_has_no_lines(shop: EditedHome, server: ForkpointServer) -> None:
    odd = shop.file("odd", b"\0\1\2")
    assert asked(server, odd)["sentence"] == "The file is no text."
    odd.write_bytes(b"x\n" * (3 << 20))
    assert asked(server, odd)["sentence"] == "The file is too large to be looked into."
    odd.unlink()
    os.mkfifo(odd)
    server.open(shop.home)
    error = server.refusal("lineHistory", {"file": uri(odd)})
    assert error["data"] == {"kind": "unknownFile"}
    assert error["message"] == "What lies there is no regular file."


def test_an_edit_whose_text_cannot_be_told(shop: EditedHome, server: ForkpointServer) -> None:
    cart = shop.file("cart.py", "a\nb\n")
    shop.prompt("First")
    shop.edit(cart, ("b", "B"), tells=False)
    cart.write_text("something\nelse\n")
    answer = asked(server, cart)
    assert picture(answer) == ["0-1 older"]
    assert answer["sentence"] == "What one edit wrote cannot be told from what is recorded."


def test_ten_thousand_edits_of_a_file(shop: EditedHome, server: ForkpointServer) -> None:
    """Each answer comes, and says how much of the past was looked at."""
    cart = shop.cwd / "cart.py"
    before = "".join(f"line {number}\n" for number in range(100))
    rows_of_edits: list[bytes] = [line(**row("u1", None, 0, user("Many")))]
    for number in range(10_000):
        old, new = f"line {number % 100}\n", f"line {number % 100}  # {number}\n"
        call_input = {"file_path": str(cart), "old_string": old, "new_string": new}
        told = {"filePath": str(cart), "oldString": old, "newString": new, "originalFile": before}
        answer = {"type": "tool_result", "tool_use_id": f"call_{number}", "content": "ok"}
        call = assistant(f"t{number}", call_block(str(number), "Edit", **call_input))
        rows_of_edits += [
            line(**row(f"t{number}", f"r{number - 1}" if number else "u1", number, call)),
            line(**row(f"r{number}", f"t{number}", number,
                       user("", message={"content": [answer]}, toolUseResult=told))),
        ]  # fmt: skip
    shop.write(*rows_of_edits)
    cart.write_text(before.replace("line 99\n", "line 99  # 9999\n"))
    answer = asked(server, cart)
    assert answer["runs"][-1]["line"] == 99
    assert answer["changes"][0]["toolUseId"] == "call_9999"
    assert answer["sentence"] == "Only the newest edits of this file were looked at."
    for call_id in ("call_0", "call_5000", "call_9999"):
        assert shop.locate(server, call_id)["file"] == uri(cart)
