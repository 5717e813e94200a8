"""LSP's own questions about a transcript, raw and readable, over stdio."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forkpoint.protocol.uri import file_uri
from tests.acting import acting
from tests.builders import SESSION, assistant, call_block, line, transcript, user, uuid
from tests.e2e.documents_home import (
    CLIENT,
    OPTIONS,
    READABLE,
    DocumentsHome,
    Editor,
    outline,
    place,
)
from tests.e2e.forkpoint_server import ForkpointServer, Json, end
from tests.e2e.stdio_client import eventually
from tests.fixture_paths import REAL


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> DocumentsHome:
    return DocumentsHome(tmp_path_factory.mktemp("documents"))


@pytest.fixture(scope="module")
def own_editor(home: DocumentsHome) -> Iterator[Editor]:
    with Editor(home.home, capabilities=CLIENT, options=OPTIONS) as editor:
        yield editor
        end(editor)


@pytest.fixture
def editor(own_editor: Editor, home: DocumentsHome) -> Editor:
    own_editor.open(home.home)
    return own_editor


# --- outline -------------------------------------------------------------------------------------

RAW_OUTLINE = """\
Add up the prices 0-3
  Edit cart.py 1-1
  Result of Edit cart.py 2-2
  a1 3-3
Round it (not on the active path) 4-5
  a2 (not on the active path) 5-5
Round it up 6-10
  a3 7-7
  hologram (not on the active path) 8-8
  Not a record: not JSON 9-9
  custom-title 10-10"""
READABLE_OUTLINE = """\
1. Add up the prices
  Edit cart.py
  Result of Edit cart.py
  a1
2. Round it up
  a3
  hologram (not sent)
  no JSON (not sent)"""


def test_the_outline_of_the_raw_file(editor: Editor, home: DocumentsHome) -> None:
    assert outline(editor.about("documentSymbol", home.raw)) == RAW_OUTLINE.splitlines()


def test_the_outline_of_the_readable_text(editor: Editor) -> None:
    lines = outline(editor.about("documentSymbol", READABLE))
    assert [each.rpartition(" ")[0] for each in lines] == READABLE_OUTLINE.splitlines()
    sections = editor.result("transcript", sessionId=SESSION)["sections"]
    assert [each.rpartition(" ")[2] for each in lines] == [
        f"{each['line']}-{each['endLine']}" for each in sections
    ]


def test_an_editor_that_takes_no_tree_gets_a_list(
    server: ForkpointServer, home: DocumentsHome
) -> None:
    server.open(home.home)
    params = {"textDocument": {"uri": home.raw}}
    flat = server.request("textDocument/documentSymbol", params)["result"]
    assert [(each["name"], each.get("containerName")) for each in flat[:3]] == [
        ("Add up the prices", None),
        ("Edit cart.py", "Add up the prices"),
        ("Result of Edit cart.py", "Add up the prices"),
    ]
    assert len(flat) == 11
    length = len(home.path.read_bytes().splitlines()[1])
    assert flat[1]["location"] == {"uri": home.raw, "range": place(1, 0, length)}


# --- hover ---------------------------------------------------------------------------------------


def test_hover_on_a_call(editor: Editor, home: DocumentsHome) -> None:
    found = editor.at("hover", home.raw, 1)
    assert found["contents"] == {
        "kind": "markdown",
        "value": f"""\
**Call**

- Time: `2026-05-28T00:00:10.000Z`
- Fate: `sent with the next request`
- Model: `claude-test`
- Tokens: `10 in, 0 from the cache, 0 into the cache, 5 out`
- Calls: `Edit {home.cart}: ok`
- Record: `1`
- uuid: `{uuid("t1")}`

```text
Edit cart.py
```""",
    }
    assert found["range"] == place(1, 0, len(home.path.read_bytes().splitlines()[1]))


def test_hover_for_an_editor_that_shows_plain_text(
    server: ForkpointServer, home: DocumentsHome
) -> None:
    server.open(home.home)
    params = {"textDocument": {"uri": home.raw}, "position": {"line": 4, "character": 3}}
    found = server.request("textDocument/hover", params)["result"]
    assert found["contents"] == {
        "kind": "plaintext",
        "value": f"""\
Prompt
Time: 2026-05-28T00:00:40.000Z
Fate: not on the active path
Record: 4
uuid: {uuid("u2")}

Round it""",
    }


def test_hover_on_what_is_no_record(editor: Editor, home: DocumentsHome) -> None:
    value = editor.at("hover", home.raw, 9)["contents"]["value"]
    assert value == "**Not a record**\n\n- Record: `9`\n- Why: `not JSON`\n\n```text\nno JSON\n```"


def test_hover_in_the_readable_text(editor: Editor) -> None:
    at = section(editor, 2)["line"]
    value = editor.at("hover", READABLE, at + 2)["contents"]["value"]
    assert value.startswith("**Result**\n")
    assert "- Answers: `Edit " in value


# --- ways ----------------------------------------------------------------------------------------


def test_a_record_leads_to_its_parent(editor: Editor, home: DocumentsHome) -> None:
    found = editor.at("definition", home.raw, 3)
    assert (found["uri"], found["range"]["start"]["line"]) == (home.raw, 2)
    assert editor.at("definition", home.raw, 0) is None
    assert editor.at("definition", home.raw, 9) is None
    assert editor.at("definition", home.raw, 10) is None


def test_a_call_leads_to_the_edited_place(editor: Editor, home: DocumentsHome) -> None:
    file = {"uri": file_uri(str(home.cart)), "range": place(1, 0, 0)}
    assert editor.at("definition", home.raw, 1) == file
    assert editor.at("definition", READABLE, section(editor, 1)["line"]) == file


def test_an_id_under_the_cursor_leads_to_what_it_names(editor: Editor, home: DocumentsHome) -> None:
    rows = home.path.read_text().splitlines()
    parent = editor.at("definition", home.raw, 1, rows[1].index(uuid("u1") or "") + 5)
    assert (parent["uri"], parent["range"]["start"]["line"]) == (home.raw, 0)
    call = editor.at("definition", home.raw, 2, rows[2].index("call_1") + 6)
    assert (call["uri"], call["range"]["start"]["line"]) == (home.raw, 1)


def test_children(editor: Editor, home: DocumentsHome) -> None:
    found = editor.at("references", home.raw, 3)
    assert [each["range"]["start"]["line"] for each in found] == [4, 6]
    assert editor.at("references", home.raw, 5) == []
    itself = editor.about(
        "references",
        home.raw,
        position={"line": 5, "character": 0},
        context={"includeDeclaration": True},
    )
    assert [each["range"]["start"]["line"] for each in itself] == [5]


def test_children_that_the_readable_text_does_not_show_are_in_the_raw_file(
    editor: Editor, home: DocumentsHome
) -> None:
    found = editor.at("references", READABLE, section(editor, 3)["line"])
    places = [(each["uri"], each["range"]["start"]["line"]) for each in found]
    assert places == [(home.raw, 4), (READABLE, section(editor, 6)["line"])]


# --- folding, links, lenses ----------------------------------------------------------------------


def test_folding_of_the_raw_file(editor: Editor, home: DocumentsHome) -> None:
    found = editor.about("foldingRange", home.raw)
    assert [(each["startLine"], each["endLine"]) for each in found] == [(0, 3), (4, 5), (6, 10)]


def test_folding_of_the_readable_text(editor: Editor) -> None:
    found = editor.about("foldingRange", READABLE)
    [beside] = editor.result("transcript", sessionId=SESSION)["folds"]
    expected = [beside, *(section(editor, row) for row in (0, 1, 2, 6, 7, 8, 9))]
    assert [(each["startLine"], each["endLine"]) for each in found] == [
        (each["line"], each["endLine"]) for each in expected
    ]


def test_links(editor: Editor, home: DocumentsHome) -> None:
    row = home.path.read_text().splitlines()[1]
    at = row.index(str(home.cart))
    target = file_uri(str(home.cart))
    assert editor.about("documentLink", home.raw) == [
        {"range": place(1, at, at + len(str(home.cart))), "target": target}
    ]
    lines = editor.result("transcript", sessionId=SESSION)["text"].splitlines()
    words = len("▸ Edit cart.py")
    [call] = [at for at, text in enumerate(lines) if text.startswith("▸ Edit cart.py ·")]
    branch, file = editor.about("documentLink", READABLE)
    assert file == {"range": place(call, 2, words), "target": target}
    assert branch["range"] == place(lines.index("· Branch: Round it (2 records)"), 2, 18)
    assert f"leaf%3D{uuid('a2')}" in branch["target"]


def test_lenses(editor: Editor, home: DocumentsHome) -> None:
    ways = {"sessionId": SESSION, "agentId": None, "uuids": [uuid("u2"), uuid("u3")]}
    command = {
        "title": "1 other branch from here",
        "command": "forkpoint.showBranch",
        "arguments": [ways],
    }
    assert editor.about("codeLens", home.raw) == [{"range": place(3, 0, 0), "command": command}]
    at = section(editor, 3)["line"]
    assert editor.about("codeLens", READABLE) == [{"range": place(at, 0, 0), "command": command}]


def test_a_lens_of_an_editor_without_the_command_does_nothing(
    server: ForkpointServer, home: DocumentsHome
) -> None:
    server.open(home.home)
    params = {"textDocument": {"uri": home.raw}}
    [lens] = server.request("textDocument/codeLens", params)["result"]
    assert lens["command"] == {"title": "1 other branch from here", "command": ""}


# --- problems ------------------------------------------------------------------------------------


def test_problems(editor: Editor, home: DocumentsHome) -> None:
    report = editor.about("diagnostic", home.raw)
    rows = home.path.read_bytes().splitlines()
    assert report["kind"] == "full"
    assert report["items"] == [
        {
            "range": place(8, 0, len(rows[8])),
            "severity": 3,
            "code": "unknownType",
            "source": "forkpoint",
            "message": "No known client writes records of this type: hologram.",
        },
        {
            "range": place(9, 0, len(rows[9])),
            "severity": 2,
            "code": "malformed",
            "source": "forkpoint",
            "message": "This is no record: not JSON.",
        },
    ]
    again = editor.about("diagnostic", home.raw, previousResultId=report["resultId"])
    assert again == {"kind": "unchanged", "resultId": report["resultId"]}
    shown = editor.about("diagnostic", READABLE)["items"]
    first_lines = [section(editor, row)["line"] for row in (8, 9)]
    assert [(*lines_of(each), each["code"]) for each in shown] == [
        (first_lines[0], first_lines[0], "unknownType"),
        (first_lines[1], first_lines[1], "malformed"),
    ]


def lines_of(problem: Json) -> tuple[int, int]:
    return problem["range"]["start"]["line"], problem["range"]["end"]["line"]


def test_problems_of_a_file_that_grows(editor: Editor, tmp_path: Path) -> None:
    grown = DocumentsHome(tmp_path)
    editor.open(grown.home)
    before = editor.about("diagnostic", grown.raw)
    whole = transcript("| gone u9")
    with grown.path.open("ab") as file:
        file.write(whole[:40])
        file.flush()
        torn = editor.about("diagnostic", grown.raw, previousResultId=before["resultId"])
        assert torn["items"][:2] == before["items"]
        assert torn["items"][2] == {
            "range": place(11, 0, 40),
            "severity": 3,
            "code": "tornTail",
            "source": "forkpoint",
            "message": "The last line is not finished: the agent is writing it, or was cut off.",
        }
        file.write(whole[40:])
        file.flush()
    report = editor.about("diagnostic", grown.raw, previousResultId=torn["resultId"])
    assert [each["code"] for each in report["items"]] == [
        "unknownType",
        "malformed",
        "danglingParent",
    ]
    assert outline(editor.about("documentSymbol", grown.raw))[-1] == "u9 11-11"


# --- prompts of all sessions ---------------------------------------------------------------------


def symbols(server: ForkpointServer, query: str) -> list[Json]:
    return server.request("workspace/symbol", {"query": query})["result"]


QUERIES: list[tuple[str, list[str]]] = [
    ("", ["Round it up", "Round it", "Add up the prices"]),
    ("round", ["Round it up", "Round it"]),
    ("UP it", ["Round it up"]),
    ("up prices", ["Round it up", "Add up the prices"]),
    ("nothing such", []),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES)
def test_prompts_by_words(
    server: ForkpointServer, home: DocumentsHome, query: str, expected: list[str]
) -> None:
    server.open(home.home)
    server.listed()
    assert [each["name"] for each in symbols(server, query)] == expected


def test_a_prompt_is_a_line_of_the_raw_file(server: ForkpointServer, home: DocumentsHome) -> None:
    server.open(home.home)
    server.listed()
    assert symbols(server, "prices add") == [
        {
            "name": "Add up the prices",
            "kind": 24,
            "containerName": "Prices",
            "location": {"uri": home.raw, "range": place(0, 0, 0)},
        }
    ]


def test_or_a_place_in_the_readable_text(editor: Editor) -> None:
    editor.listed()
    [kept, abandoned, _] = symbols(editor, "prices")
    active = f"forkpoint-transcript:/Prices.md?session%3D{SESSION}"
    assert kept["location"] == abandoned["location"] == {"uri": active}

    def resolved(symbol: Json) -> tuple[str, int]:
        found = editor.request("workspaceSymbol/resolve", symbol)["result"]
        assert found["name"] == symbol["name"]
        return found["location"]["uri"], found["location"]["range"]["start"]["line"]

    assert resolved(kept) == (active, section(editor, 6)["line"])
    leaf = uuid("a2") or ""
    branch = f"forkpoint-transcript:/Prices%20%28branch%20{leaf[:8]}%29.md"
    there = section(editor, 4, leaf=leaf)["line"]
    assert resolved(abandoned) == (f"{branch}?session%3D{SESSION}%26leaf%3D{leaf}", there)


def test_a_symbol_of_nowhere_stays_as_it_is(editor: Editor) -> None:
    symbol = {
        "name": "x",
        "kind": 24,
        "location": {"uri": READABLE},
        "data": {"sessionId": SESSION, "uuid": "nobody"},
    }
    assert editor.request("workspaceSymbol/resolve", symbol)["result"] == symbol


# --- what is no transcript -----------------------------------------------------------------------

NOTHING: Json = {
    "documentSymbol": None,
    "foldingRange": None,
    "documentLink": None,
    "codeLens": None,
    "diagnostic": {"kind": "full", "items": []},
    "hover": None,
    "definition": None,
    "references": None,
}


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "untitled:Untitled-1",
        "file:///nowhere/x.jsonl",
        "file:///etc/passwd",
        "file://[x/y.jsonl",
        "file:///a%00b.jsonl",
        "forkpoint-transcript:/x.md?session=nobody",
        f"{READABLE}&leaf=nobody",
        f"{READABLE}&agent=nobody",
        "forkpoint-version:/x.jsonl?empty",
    ],
)
def test_other_documents_have_nothing(editor: Editor, uri: str) -> None:
    assert editor.everything(uri, 0) == NOTHING


def test_a_transcript_elsewhere_is_not_looked_at(
    editor: Editor, home: DocumentsHome, tmp_path: Path
) -> None:
    copy = tmp_path / home.path.name
    copy.write_bytes(home.path.read_bytes())
    uri = file_uri(str(copy))
    opened = {"uri": uri, "languageId": "jsonl", "version": 1, "text": copy.read_text()}
    editor.notify("textDocument/didOpen", {"textDocument": opened})
    assert editor.everything(uri, 0) == NOTHING


def test_another_way_to_the_same_file(editor: Editor, home: DocumentsHome, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(home.home)
    way = file_uri(str(link / home.path.relative_to(home.home)))
    roundabout = file_uri(f"{home.path.parent}/../-shop/{home.path.name}")
    for uri in (way, roundabout, home.raw.replace("-shop", "%2Dshop")):
        assert outline(editor.about("documentSymbol", uri)) == RAW_OUTLINE.splitlines()
        assert editor.at("definition", uri, 3)["uri"] == uri


def test_a_subagents_file(editor: Editor) -> None:
    editor.open(REAL / "g1_agent_foreground")
    [path] = REAL.glob("g1_agent_foreground/projects/*/*/subagents/*.jsonl")
    uri = file_uri(str(path))
    names = [each["name"] for each in editor.about("documentSymbol", uri)]
    assert "Look for test files in the repo." in " ".join(names)
    assert "sent with the next request" in editor.at("hover", uri, 0)["contents"]["value"]


def test_a_file_that_is_gone_has_nothing(editor: Editor, tmp_path: Path) -> None:
    there = DocumentsHome(tmp_path)
    editor.open(there.home)
    assert editor.everything(there.raw, 1) != NOTHING
    there.path.unlink()
    assert editor.everything(there.raw, 1) == NOTHING


def test_one_that_came_is_found(editor: Editor, home: DocumentsHome, tmp_path: Path) -> None:
    there = DocumentsHome(tmp_path)
    late = there.path.rename(tmp_path / there.path.name)
    editor.open(there.home)
    assert editor.everything(there.raw, 1) == NOTHING
    late.rename(there.path)
    assert editor.everything(there.raw, 1) != NOTHING


MISFITS: list[Json] = [
    {},
    {"textDocument": {"uri": 5}},
    {"textDocument": {"uri": READABLE}, "position": {"line": -1, "character": 0}},
    {"textDocument": {"uri": READABLE}, "position": {"line": 2**31, "character": 0}},
    {"textDocument": {"uri": READABLE}, "position": "here"},
]


def test_what_does_not_fit_is_refused(home: DocumentsHome) -> None:
    with ForkpointServer(home.home) as server:
        for params in MISFITS:
            for method in ("hover", "definition", "references"):
                answer = server.request(f"textDocument/{method}", params)
                assert answer["error"]["code"] == -32602
        assert server.result("health")
        server.request("shutdown")


@pytest.mark.parametrize(
    ("encoding", "units"), [("utf-8", (4, 19)), ("utf-16", (2, 14)), ("utf-32", (2, 13))]
)
@pytest.mark.parametrize("odd", [{}, {"workspace": {"symbol": 5}}], ids=["plain", "odd"])
def test_positions_count_what_was_agreed(
    tmp_path: Path, encoding: str, units: tuple[int, int], odd: Json
) -> None:
    """Also with a client whose other words are none of LSP's."""
    there = DocumentsHome(tmp_path)
    call = assistant("t1", call_block("1", "Edit", file_path="/é🙂x.py"))
    there.path.write_bytes(transcript("u1 t1", fields={"t1": call}))
    capabilities = {"general": {"positionEncodings": [encoding]}, **odd}
    with ForkpointServer(there.home, capabilities=capabilities) as server:
        assert server.answered["capabilities"]["positionEncoding"] == encoding
        params = {"textDocument": {"uri": READABLE}}
        [link] = server.request("textDocument/documentLink", params)["result"]
        lines = server.result("transcript", sessionId=SESSION)["text"].splitlines()
        assert link["range"] == place(lines.index("▸ Edit é🙂x.py · no result"), *units)
        server.request("shutdown")


# --- traps ---------------------------------------------------------------------------------------

TRAP = (
    "[click](command:workbench.action.quit) <a href='command:x'>y</a> "
    "`![z](https://evil.example/p.png)` https://evil.example ```"
)


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> DocumentsHome:
    """A transcript in which everything that can be named is a trap."""
    home = DocumentsHome(tmp_path_factory.mktemp("trapped"))
    call = {"type": "tool_use", "id": TRAP, "name": TRAP, "input": {"file_path": TRAP}}
    share = {"type": "tool_use", "id": "s", "name": "Read", "input": {"file_path": r"\\evil\x"}}
    result = {"type": "tool_result", "tool_use_id": TRAP, "content": TRAP}
    model = {"message": {"model": TRAP, "content": [call, share]}}
    home.path.write_bytes(
        transcript(
            "u1 t1 r1 a1",
            fields={
                "u1": user(TRAP, timestamp=TRAP),
                "t1": model,
                "r1": {"message": {"content": [result]}},
                "a1": {"message": {"content": [{"type": "text", "text": TRAP}]}},
            },
        )
        + line(type=TRAP, uuid=TRAP, parentUuid=TRAP)
        + line(type="custom-title", customTitle=TRAP)
    )
    return home


def test_what_is_planted_in_a_transcript_does_nothing(
    editor: Editor, trapped: DocumentsHome
) -> None:
    editor.open(trapped.home)
    editor.listed()
    readable = f"forkpoint-transcript:/x.md?session={SESSION}"
    lines = trapped.path.read_text().splitlines()
    for uri, rows in ((trapped.raw, len(lines)), (readable, 60)):
        for at in range(rows):
            found = editor.everything(uri, at)
            if found["hover"] is not None:
                assert acting(found["hover"]["contents"]["value"]) == ""
            for link in found["documentLink"]:
                assert link["target"].startswith("file:///home/dev/shop/")
            assert [each["command"]["command"] for each in found["codeLens"]] == []
            for each in places(found):
                assert each.startswith((trapped.raw, readable, "file:///"))
    for each in symbols(editor, ""):
        assert each["location"]["uri"].startswith("forkpoint-transcript:/")


def places(answer: Any) -> Iterator[str]:
    if isinstance(answer, dict):
        if "uri" in answer:
            yield answer["uri"]
        for value in answer.values():
            yield from places(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from places(value)


def test_traps_for_a_reader_of_files(editor: Editor, tmp_path: Path) -> None:
    """Each is answered, and the next question as well."""
    for number, data in enumerate(HOSTILE):
        there = DocumentsHome(tmp_path / str(number))
        there.path.write_bytes(data)
        editor.open(there.home)
        for at in (0, 1, 2, 10**6):
            assert editor.everything(there.raw, at).keys() == NOTHING.keys()
    eventually(lambda: editor.result("health")["indexing"]["total"] == 1)


HOSTILE = [
    b"",
    b"\n" * 100_000,
    b"\0" * 100_000,
    b"\r" * 1000 + b"\n",
    b"{" * 100_000,
    b'{"a":' * 5000 + b"\n",
    transcript("u1") * 2000,
    b'{"type":"user","uuid":"' + b"u" * 10**6 + b'"}\n',
    b"".join(b'{"type":"user","uuid":"%d","parentUuid":"%d"}\n' % (n, n + 1) for n in range(5000)),
    b'{"type":"user","uuid":"a","parentUuid":"b"}' * 200,
    "\ud83d".encode("utf-8", "surrogatepass") + b'{"type":"\\ud83d","uuid":"\\udc00"}\n',
    b'{"type":"user","uuid":1e999,"message":{"content":[[[[]]]]}}\n',
]


def section(editor: Editor, ordinal: int, **params: Any) -> Json:
    sections = editor.result("transcript", sessionId=SESSION, **params)["sections"]
    return next(each for each in sections if each["ordinal"] == ordinal)
