"""The demo's answers in Chinese: the English ones with other sentences, and no English left."""
# ruff: noqa: RUF001

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from fixtures.demo.prepare import Demo
from forkpoint.catalog import Catalog
from forkpoint.keeping import Keeping
from forkpoint.languages import ENGLISH, Language, language_for
from forkpoint.lsp.handlers import HANDLERS, served_in
from forkpoint.protocol.encode import encode, json_bytes
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.params import decode_params
from forkpoint.store import open_store
from tests.builders import SESSION, transcript, uuid
from tests.e2e.documents_home import CLIENT, OPTIONS, DocumentsHome, Editor, outline
from tests.e2e.forkpoint_server import ForkpointServer, Json, end
from tests.e2e.watching import place
from tests.fixture_paths import REPOSITORY

CHINESE = json.loads((REPOSITORY / "server/forkpoint/languages/zh-cn.json").read_bytes())
LATER = {"now": "2027-03-09T00:20:30Z"}
LETTER = re.compile("[\u4e00-\u9fff]")

WORDS = frozenset({"sentence", "note", "evidence", "from", "value"})
"""Fields that may hold words of ours; texts of all others are the same in every language."""

Answer = tuple[str, Json, Any]
"""Method, parameters, and what was answered, as it is before a language is chosen."""


def questions(session_ids: list[str], prompts: dict[str, list[str]]) -> Iterator[tuple[str, Json]]:
    yield "sessions", {"includeProgrammatic": True}
    yield "health", {}
    yield "usage", {}
    yield "search", {"query": "file:"}
    yield "abandoned", {}
    yield "activePath", {"sessionId": "none"}
    for session_id in session_ids:
        for method in ("activePath", "workState", "cacheHistory", "family", "health"):
            yield method, {"sessionId": session_id}
        for method in ("checkpoints", "toolCalls", "checkpointFiles", "branchTree"):
            yield method, {"sessionId": session_id}
        for action in ("resume", "compact", "clear"):
            about = {"sessionId": session_id, "action": action}
            yield "cacheImpact", {**about, "environment": LATER}
        for prompt in prompts[session_id]:
            yield "rewindPreview", {"sessionId": session_id, "prompt": prompt}


def asked(catalog: Catalog, method: str, params: Json) -> Any:
    """The result, or the error with its message as a sentence."""
    name = f"forkpoint/{method}"
    try:
        return encode(HANDLERS[name](catalog, decode_params(name, params)))
    except RequestFailed as failure:
        return {"kind": failure.kind, "sentence": failure.sentence}


@pytest.fixture(scope="module")
def answers(demo: Demo) -> list[Answer]:
    catalog = Catalog([demo.config_dir], None, None, None, [demo.codex_home])
    while catalog.index_next():
        pass
    rows = asked(catalog, "sessions", {"includeProgrammatic": True})["sessions"]
    ids = [row["sessionId"] for row in rows]
    paths = {each: asked(catalog, "activePath", {"sessionId": each}) for each in ids}
    prompts = {
        each: [row["uuid"] for row in path["entries"] if row["role"] == "prompt"]
        for each, path in paths.items()
    }
    return [(m, p, asked(catalog, m, p)) for m, p in questions(ids, prompts)]


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """All texts with the name of the field that they stand in."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each, key)
    elif isinstance(value, str):
        yield key, value


def without_words(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: without_words(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [without_words(each, key) for each in value]
    return "" if key in WORDS and isinstance(value, str) else value


def english_runs() -> set[str]:
    """Three words or more of English that stand in a pattern without a part between them."""
    texts = [text.strip() for pattern in CHINESE for text, *_ in Formatter().parse(pattern)]
    return {text for text in texts if len(re.findall(r"[A-Za-z']+", text)) >= 3}


def in_chinese(answers: list[Answer]) -> list[tuple[str, str, str]]:
    """Method, field and text of all that was answered."""
    said = language_for("zh-cn").said
    return [(m, key, text) for m, _, answer in answers for key, text in leaves(said(answer))]


def test_sentences_are_chinese(answers: list[Answer]) -> None:
    said = [(m, text) for m, key, text in in_chinese(answers) if key == "sentence" and text]
    assert {each for each in said if not LETTER.search(each[1])} == set()
    assert len({method for method, _ in said}) >= 8


def test_no_english_of_the_table_is_left(answers: list[Answer]) -> None:
    runs = english_runs()
    texts = {each for each in in_chinese(answers) if each[1] in WORDS}
    assert {each for each in texts if any(run in each[2] for run in runs)} == set()


def test_why_a_line_is_no_record(home: Path) -> None:
    bad = [b"null", b"[]", b"5", b'"text"', b"plain", b"\0\0"]
    lines = b"".join(text + b"\n" for text in bad)
    place(home).write_bytes(transcript("u1 a1") + lines)
    [found] = asked(Catalog([home]), "health", {"sessionId": SESSION})["sessions"]
    said = [each["sentence"] for each in language_for("zh-cn").said(found["malformed"])]
    assert len(said) == len(bad) == len(set(said))
    assert [each for each in said if re.search("[a-z]", each.replace("null", ""))] == []


def test_nothing_else_differs(answers: list[Answer]) -> None:
    said = language_for("zh-cn").said
    for method, params, answer in answers:
        assert without_words(said(answer)) == without_words(answer), (method, params)


def test_the_editor_chooses_when_it_says_hello(demo: Demo) -> None:
    with ForkpointServer(demo.config_dir, locale="zh-cn") as server:
        [session] = server.result("sessions", limit=1)["sessions"]
        session_id = session["sessionId"]
        path = server.result("activePath", sessionId=session_id)
        again = server.result("activePath", sessionId=session_id)
        refusal = server.refusal("activePath", {"sessionId": "none"})
        end(server)
    assert LETTER.search(path["leaf"]["sentence"])
    assert again == path
    assert refusal["message"] == "没有会话 none。"


def test_an_answer_is_kept_in_each_language(demo: Demo, tmp_path: Path) -> None:
    """Its text is ready for the next start, before the transcript is read."""

    def leaf_as_told(language: Language, *, is_kept: bool) -> str:
        catalog = Catalog([demo.config_dir], keeping=Keeping(open_store(tmp_path)))
        name = "forkpoint/activePath"
        params = decode_params(name, {"sessionId": session_id})
        answer = json.loads(json_bytes(served_in(language)[name](catalog, params)))
        assert (catalog.transcript(session_id, None).conversation is None) == is_kept
        catalog.keep()
        catalog.close()
        return answer["leaf"]["sentence"]

    rows = asked(Catalog([demo.config_dir]), "sessions", {"limit": 1})["sessions"]
    session_id = rows[0]["sessionId"]
    chinese = language_for("zh-cn")
    first = [leaf_as_told(each, is_kept=False) for each in (ENGLISH, chinese)]
    assert [bool(LETTER.search(each)) for each in first] == [False, True]
    assert [leaf_as_told(each, is_kept=True) for each in (ENGLISH, chinese)] == first


def test_what_an_editor_asks_about_a_raw_file(tmp_path: Path) -> None:
    home = DocumentsHome(tmp_path)
    with Editor(home.home, capabilities=CLIENT, options=OPTIONS, locale="zh-cn") as editor:
        hover = editor.at("hover", home.raw, 1)["contents"]["value"]
        outlined = outline(editor.about("documentSymbol", home.raw))
        found = editor.about("diagnostic", home.raw)["items"]
        lenses = editor.about("codeLens", home.raw)
        end(editor)
    assert (
        hover
        == f"""\
**调用**

- 时间: `2026-05-28T00:00:10.000Z`
- 去向: `随下一个请求发送`
- 模型: `claude-test`
- Token: `输入 10，读自缓存 0，写入缓存 0，输出 5`
- 调用: `Edit {home.cart}：成功`
- 记录: `1`
- uuid: `{uuid("t1")}`

```text
Edit cart.py
```"""
    )
    assert outlined == [
        "Add up the prices 0-3",
        "  Edit cart.py 1-1",
        "  Edit cart.py 的结果 2-2",
        "  a1 3-3",
        "Round it (不在活动路径上) 4-5",
        "  a2 (不在活动路径上) 5-5",
        "Round it up 6-10",
        "  a3 7-7",
        "  hologram (不在活动路径上) 8-8",
        "  不是记录：不是 JSON 9-9",
        "  custom-title 10-10",
    ]
    assert [each["message"] for each in found] == [
        "没有已知客户端会写入此类型的记录：hologram。",
        "这不是有效记录：不是 JSON。",
    ]
    assert [each["command"]["title"] for each in lenses] == ["从此处另有 1 个分支"]
