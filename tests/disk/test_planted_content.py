"""What stands in a transcript never acts: in no Markdown, no address and no terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from lsprotocol.converters import get_converter
from markdown_it import MarkdownIt

from forkpoint.catalog import Catalog
from forkpoint.cli import main
from forkpoint.lsp.editor import Editor
from forkpoint.lsp.handlers import HANDLERS, STANDARD_HANDLERS
from forkpoint.protocol.encode import encode
from forkpoint.protocol.methods import REQUESTS
from forkpoint.protocol.params import decode_params
from forkpoint.protocol.uri import file_uri
from tests.builders import SESSION, assistant, call_block, line, row, text_block, user, uuid

COMMAND = "command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%5Cn%22%7D"
PLANTED = (
    f"[Open]({COMMAND})",
    f"<{COMMAND}>",
    f"[Open][x]\n\n[x]: {COMMAND}",
    "![](https://elsewhere.example/x.png)",
    "<img src=https://elsewhere.example/x.png onerror=alert(1)><script>alert(1)</script>",
    '<a href="vscode://some.extension/run">x</a>',
    "https://elsewhere.example/auto",
    "```\n~~~\n# heading\n```",
    "$(flame) $(sync~spin)",
    "\x1b]0;title\x07\x1b[2J\x1b]8;;https://elsewhere.example\x1b\\x\r\x08\x9b31m",
    "\u202egnp.exe\u2066 \u200e",
    "javascript:alert(1)",
    "--help; $(id) `id` %PATH% & calc.exe | '\" \n id",
)
PATHS = (
    COMMAND,
    "https://elsewhere.example/x",
    "vscode://some.extension/run",
    "javascript:alert(1)",
    "../../../etc/passwd",
    "//elsewhere.example/share/x",
    "file:///etc/passwd",
    "a\nb#c?d%2e",
    "[Open](command:x)",
    "\x1b[2J",
)
SCHEMES = ("file", "forkpoint-transcript", "forkpoint-version")
_ADDRESS = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*):")
_URI_FIELDS = {"uri", "file", "document", "target", "targetUri", "transcript", "spilled", "image"}
_FOLDS = re.compile("</?(?:details|summary)>")
_converter = get_converter()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One session in which every text and every path is somebody's trap."""
    home = tmp_path_factory.mktemp("home")
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    lines: list[bytes] = []
    above = None
    for number, text in enumerate(PLANTED):
        path = PATHS[number % len(PATHS)]
        prompt, answer, call, result = (f"{letter}{number}" for letter in "uatr")
        block = call_block(str(number), "Edit", file_path=path, old_string=text, new_string="x")
        shell = call_block(f"s{number}", "Bash", command=text, description=text)
        output = {"tool_use_id": f"call_{number}", "type": "tool_result", "content": text}
        rows = [
            (prompt, user(text, cwd=path, gitBranch=text, version=text)),
            (answer, assistant(answer, text_block(text), {"type": "thinking", "thinking": text})),
            (call, assistant(call, block, shell)),
            (result, {"type": "user", "message": {"role": "user", "content": [output]}}),
        ]
        for name, fields in rows:
            lines.append(line(**row(name, above, number * 10, fields)))
            above = name
    lines.append(line(type="custom-title", customTitle=PLANTED[0], sessionId=SESSION))
    lines.append(line(type="tag", tag=PLANTED[0], sessionId=SESSION))
    (folder / f"{SESSION}.jsonl").write_bytes(b"".join(lines))
    return home


@pytest.fixture(scope="module")
def catalog(home: Path) -> Catalog:
    return Catalog([home])


def answers(catalog: Catalog) -> Iterator[tuple[str, Any]]:
    """What is answered about the session, by every method that needs no more than it."""
    more: dict[str, dict[str, Any]] = {
        "forkpoint/search": {"query": "open"},
        "forkpoint/rewindPreview": {"prompt": uuid("u3")},
        "forkpoint/transcriptPlace": {"uuid": uuid("u3")},
        "forkpoint/locate": {"toolUseId": "call_3"},
        "forkpoint/export": {"format": "markdown"},
    }
    apart = {"forkpoint/checkpointContent", "forkpoint/transcriptImage", "forkpoint/lineHistory"}
    for method in REQUESTS.keys() - apart:
        params = {"sessionId": SESSION, **more.get(method, {})}
        yield method, encode(HANDLERS[method](catalog, decode_params(method, params)))


def standard_answers(catalog: Catalog, home: Path) -> Iterator[tuple[str, Any]]:
    raw = file_uri(str(home / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl"))
    editor = Editor(nests_symbols=True, shows_markdown=True)
    for uri in (raw, f"forkpoint-transcript:/x.md?session={SESSION}"):
        document = lsp.TextDocumentIdentifier(uri)
        shapes: dict[str, Any] = {
            "documentSymbol": lsp.DocumentSymbolParams(document),
            "documentLink": lsp.DocumentLinkParams(document),
            "codeLens": lsp.CodeLensParams(document),
            "diagnostic": lsp.DocumentDiagnosticParams(document),
        }
        for at in range(4 * len(PLANTED)):
            shapes[f"hover {at}"] = lsp.HoverParams(document, lsp.Position(at, 0))
            shapes[f"definition {at}"] = lsp.DefinitionParams(document, lsp.Position(at, 0))
        for name, params in shapes.items():
            method = f"textDocument/{name.partition(' ')[0]}"
            answer = STANDARD_HANDLERS[method](catalog, params, editor)
            yield method, _converter.unstructure(answer)


def fields(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield name, each
            yield from fields(each)
    elif isinstance(value, list):
        for each in value:
            yield from fields(each)


def test_every_address_is_one_of_ours_or_of_a_file(catalog: Catalog, home: Path) -> None:
    seen = 0
    for method, answer in [*answers(catalog), *standard_answers(catalog, home)]:
        for name, value in fields(answer):
            for each in value if isinstance(value, list) else [value]:
                if name in _URI_FIELDS and isinstance(each, str):
                    scheme = _ADDRESS.match(each)
                    assert scheme is not None and scheme[1] in SCHEMES, (method, name, each)
                    assert not each.startswith("file://elsewhere") or "share" in each
                    assert not re.search(r"[\s\x00-\x1f\x7f]", each), (method, name, each)
                    seen += 1
    assert seen > 50


def acting(markdown: str) -> list[str]:
    """What a reader of Markdown would follow, load or run."""
    tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(markdown)
    inner = [token for each in tokens for token in (each.children or [])]
    kinds = ("link_open", "image", "html_inline", "html_block")
    found = [token for token in [*tokens, *inner] if token.type in kinds]
    # What folds a part of the readable text is ours.
    ours = [token for token in found if "<" not in _FOLDS.sub("", token.content)]
    return [
        f"{token.type} {token.attrs} {token.content}"
        for token in found
        if not (token.type == "html_block" and token in ours)
    ]


def test_in_the_readable_text_and_in_hovers_nothing_acts(catalog: Catalog, home: Path) -> None:
    text = dict(answers(catalog))["forkpoint/transcript"]["text"]
    assert text.count("sendSequence") > 5
    assert acting(text) == []
    hovers = [answer for method, answer in standard_answers(catalog, home) if "hover" in method]
    words = [each["contents"]["value"] for each in hovers if each]
    assert sum("sendSequence" in each for each in words) > 2
    for each in words:
        assert acting(each) == []


def test_the_check_sees_what_acts() -> None:
    assert len([text for text in PLANTED if acting(text)]) == 6


UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize(
    "words",
    [
        ["sessions", "--all"],
        ["show", SESSION],
        ["search", "open"],
        ["health", SESSION],
        ["health", "--report"],
        ["usage", "--by", "session,project,model"],
        ["export", SESSION, "--format", "md"],
    ],
    ids=" ".join,
)
def test_a_terminal_is_given_no_order(
    home: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--config-dir", str(home)]) == 0
    said = capsys.readouterr().out
    assert said
    assert UNSEEN.findall(said) == []


def test_a_name_in_an_outline_hides_nothing(catalog: Catalog, home: Path) -> None:
    symbols = [answer for method, answer in standard_answers(catalog, home) if "Symbol" in method]
    names = [value for answer in symbols for name, value in fields(answer) if name == "name"]
    assert any("flame" in name for name in names)
    assert [name for name in names if UNSEEN.search(name)] == []
