"""What an export looks like, form by form, and that nothing from a transcript acts in it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from forkpoint.catalog import Catalog
from forkpoint.export.markdown_text import fence, line, prose, tag_text
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.protocol import types
from forkpoint.protocol.params import decode_params
from tests.builders import (
    SESSION,
    assistant,
    call_block,
    result_block,
    text_block,
    transcript,
    user,
    uuid,
)
from tests.builders import line as row_line

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)


def catalog_of(folder: Path, data: bytes, agents: dict[str, bytes] | None = None) -> Catalog:
    project = folder / "projects" / "-home-dev-shop"
    beside = project / SESSION / "subagents"
    beside.mkdir(parents=True)
    (project / f"{SESSION}.jsonl").write_bytes(data)
    for name, content in (agents or {}).items():
        (beside / f"agent-{name}.jsonl").write_bytes(content)
    return Catalog([folder])


def exported(catalog: Catalog, form: str, **params: Any) -> types.ExportResult:
    """All parts of an export; the last one with the whole text."""
    question = {"sessionId": SESSION, "format": form, **params}
    handler = HANDLERS["forkpoint/export"]
    texts: list[str] = []
    while True:
        answer: Any = handler(catalog, decode_params("forkpoint/export", question))
        texts.append(answer.text)
        if answer.cursor is None:
            return types.ExportResult(
                text="".join(texts),
                cursor=None,
                media_type=answer.media_type,
                file_name=answer.file_name,
                done=answer.done,
                total=answer.total,
                redactions=answer.redactions,
                left_out=answer.left_out,
            )
        question["cursor"] = answer.cursor


SMALL = transcript(
    "u1 a1 t1 r1 a2 | a1 u2 a3 >a2",
    fields={
        "u1": user("Fix the *total*\nof <cart>"),
        "a1": assistant(
            "a1",
            {"type": "thinking", "thinking": "Hm, 2 + 2."},
            text_block("On it:\n```py\nx = 1\n```"),
        ),
        "t1": assistant("t1", call_block("1", "Bash", command="npm test\nnpm run lint", timeout=5)),
        "r1": {"message": {"content": [result_block("1", content="ok ``` ok\n")]}},
        "a2": assistant("a2", text_block("Done, @dev: see #12.")),
    },
)  # fmt: skip

MARKDOWN = """\
# Fix the \\*total\\* of \\<cart\\>

- Session: 5e551010-0000-4000-8000-000000000000
- Project: /home/dev/shop
- Branch: main
- Client: 2.1.332
- Models: claude-test
- From: 2026-05-28 00:00:00 UTC
- To: 2026-05-28 00:01:00 UTC

The active path. Records shown: 5.

Not in here:

- records on other branches: 2
- lines that are titles, pointers or snapshots of files: 1

## 1. Fix the \\*total\\*

2026-05-28 00:00:00 UTC

Fix the \\*total\\*\\
of \\<cart\\>

### Claude (claude-test)

2026-05-28 00:00:10 UTC

<details><summary>Thinking</summary>

Hm, 2 + 2.

</details>

On it:

```text
x = 1
```

**Bash** npm test npm run lint

```text
command:
npm test
npm run lint
timeout: 5
```

<details><summary>Result of Bash: npm test npm run lint</summary>

````text
ok ``` ok
````

</details>

Done, @\u2060dev: see #\u206012.
"""


def test_markdown(tmp_path: Path) -> None:
    answer = exported(catalog_of(tmp_path, SMALL), "markdown")
    assert answer.text == MARKDOWN
    assert (answer.media_type, answer.file_name) == (
        "text/markdown",
        "fix-the-total-of-cart-5e551010.md",
    )
    assert (answer.done, answer.total) == (5, 5)
    left_out = {count.kind: count.count for count in answer.left_out}
    assert left_out == {"otherBranches": 2, "state": 1}


def test_json(tmp_path: Path) -> None:
    answer = exported(catalog_of(tmp_path, SMALL), "json")
    whole = json.loads(answer.text)
    [conversation] = whole["transcripts"]
    assert {name: value for name, value in whole.items() if name != "transcripts"} == {
        "format": "forkpoint-export",
        "version": 1,
        "session": {
            "sessionId": SESSION,
            "title": "Fix the *total* of <cart>",
            "project": "/home/dev/shop",
            "gitBranch": "main",
            "clientVersion": "2.1.332",
            "models": ["claude-test"],
            "createdAt": "2026-05-28T00:00:00.000Z",
            "updatedAt": "2026-05-28T00:01:00.000Z",
        },
        "redacted": [],
        "redactions": {},
        "secretRules": [],
        "spilledOutputs": 0,
        "imagesWithoutData": 0,
    }
    records = conversation.pop("records")
    assert conversation == {
        "agentId": None,
        "title": "Conversation",
        "path": "The active path.",
        "leaf": uuid("a2"),
        "toolUseId": None,
        "recordCount": 5,
        "leftOut": {"otherBranches": 2, "state": 1},
    }
    assert [record["uuid"] for record in records] == [*map(uuid, ["u1", "a1", "t1", "r1", "a2"])]
    assert records[2] == {
        "ordinal": 2,
        "uuid": uuid("t1"),
        "role": "response",
        "time": "2026-05-28T00:00:20.000Z",
        "fate": "sent",
        "model": "claude-test",
        "blocks": [
            {
                "kind": "toolUse",
                "toolUseId": "call_1",
                "name": "Bash",
                "file": None,
                "summary": "npm test npm run lint",
                "input": {"command": "npm test\nnpm run lint", "timeout": 5},
            }
        ],
    }
    assert records[3]["blocks"] == [
        {
            "kind": "toolResult",
            "toolUseId": "call_1",
            "isError": False,
            "text": "ok ``` ok\n",
            "sizeBytes": 10,
            "spilled": None,
        }
    ]
    assert answer.text.count("\n") == 9, "a record is a line"


HTML = """\
<main>
<section id="conversation" aria-label="Conversation">
<p class="aside">The active path. Records shown: 2.</p>
<article id="r-00000000-0000-4000-8000-753100000000" class="turn">
<h2>1. Is 1 &lt; 2?</h2>
<p class="aside"><time>2026-05-28 00:00:00 UTC</time></p>
<pre class="words">
Is 1 &lt; 2?</pre>
<p><img alt="Image: image/png, 70 bytes" src="data:image/png;base64,PNG"></p>
</article>
<article id="r-00000000-0000-4000-8000-743100000000" class="row">
<h3>Claude (claude-test)</h3>
<p class="aside"><time>2026-05-28 00:00:10 UTC</time></p>
<p><strong>Read</strong> a.py</p>
<pre class="code">
file_path: a.py</pre>
</article>
</section>
</main>
</body>
</html>
"""


def picture(media_type: str = "image/png", data: str = PNG) -> dict[str, Any]:
    source = {"type": "base64", "media_type": media_type, "data": data}
    return {"type": "image", "source": source}


def test_html(tmp_path: Path) -> None:
    question = {"message": {"content": [text_block("Is 1 < 2?"), picture()]}}
    call = assistant("t1", call_block("1", "Read", file_path="a.py"))
    data = transcript("u1 t1", fields={"u1": question, "t1": call})
    text = exported(catalog_of(tmp_path, data), "html").text
    assert text[text.index("<main>") :].replace(PNG, "PNG") == HTML
    contents = '<li><a href="#r-00000000-0000-4000-8000-753100000000">Is 1 &lt; 2?</a></li>'
    assert contents in text
    assert "<title>Is 1 &lt; 2?</title>" in text


@pytest.mark.parametrize(
    ("media_type", "data"),
    [
        ("image/svg+xml", PNG),
        ("text/html", PNG),
        ("image/png", 'AAAA" onerror="x'),
        ("image/png", "A" * (4 * 1024 * 1024 + 4)),
        ("image/png; x", PNG),
    ],
    ids=["svg", "html", "no base64", "too large", "odd type"],
)
def test_other_pictures_are_told_by_type_and_size(
    tmp_path: Path, media_type: str, data: str
) -> None:
    blocks = [text_block("x"), picture(media_type, data)]
    catalog = catalog_of(
        tmp_path, transcript("u1 a1", fields={"u1": {"message": {"content": blocks}}})
    )
    text = exported(catalog, "html").text
    assert "<img" not in text
    assert "pictures told by type and size only: 1" in text


ALONE = "Secrets were looked for by the built-in rules only, since detect-secrets is not installed."


@pytest.mark.parametrize("form", ["markdown", "html"])
@pytest.mark.parametrize("is_installed", [True, False])
def test_the_end_says_whose_rules_were_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, is_installed: bool
) -> None:
    if not is_installed:
        monkeypatch.setattr("forkpoint.lsp.exporting.detectors", lambda: ())
    catalog = catalog_of(tmp_path, transcript("u1 a1"))
    assert (ALONE in exported(catalog, form, redact=["secrets"]).text) != is_installed
    assert ALONE not in exported(catalog, form, redact=["paths", "names"]).text
    whole = json.loads(exported(catalog, "json", redact=["secrets"]).text)
    assert whole["secretRules"] == ["built-in", "detect-secrets"][: 1 + is_installed]


def test_a_redaction_shows_no_picture(tmp_path: Path) -> None:
    data = transcript(
        "u1 a1", fields={"u1": {"message": {"content": [text_block("x"), picture()]}}}
    )
    text = exported(catalog_of(tmp_path, data), "html", redact=["secrets"]).text
    assert "<img" not in text
    assert "Pictures are not shown" in text


# --- other paths, subagents, compactions -------------------------------------------------------


def test_another_branch(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, SMALL)
    whole = json.loads(exported(catalog, "json", leaf=uuid("a3")).text)
    [conversation] = whole["transcripts"]
    assert [record["uuid"] for record in conversation["records"]] == [
        *map(uuid, ["u1", "a1", "u2", "a3"])
    ]
    assert conversation["leftOut"] == {"otherBranches": 3, "state": 1}
    assert conversation["path"] == f"The path to the record {uuid('a3')}."


CALLER = transcript(
    "u1 t1 r1 a1",
    fields={
        "t1": assistant("t1", call_block("1", "Agent", description="Look <around>", prompt="k1")),
        "r1": {"toolUseResult": {"agentId": "7a"}},
    },
)
AGENT = transcript(
    "u5 a5", fields={name: {"agentId": "7a", "isSidechain": True} for name in ("u5", "a5")}
)


def test_subagents_follow_and_are_linked_from_their_call(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, CALLER, {"7a": AGENT})
    whole = json.loads(exported(catalog, "json", subagents=True).text)
    assert [(t["agentId"], t["toolUseId"], t["recordCount"]) for t in whole["transcripts"]] == [
        (None, None, 4),
        ("7a", "call_1", 2),
    ]
    page = exported(catalog, "html", subagents=True).text
    assert page.count('<a href="#agent-7a">') == 2
    assert page.count('<section id="agent-7a"') == 1
    assert "<h2>Subagent: Look &lt;around&gt;</h2>" in page
    text = exported(catalog, "markdown", subagents=True).text
    assert "# Subagent: Look \\<around\\>" in text.split("\n")


def test_subagents_that_are_left_out_are_told(tmp_path: Path) -> None:
    answer = exported(catalog_of(tmp_path, CALLER, {"7a": AGENT}), "markdown")
    assert "- transcripts of subagents: 1\n" in answer.text


def test_a_subagent_of_a_1_x_client_stands_in_the_same_file(tmp_path: Path) -> None:
    data = transcript("u1 a1 k1 a2")
    without = json.loads(exported(catalog_of(tmp_path / "a", data), "json").text)
    assert without["transcripts"][0]["leftOut"] == {"subagents": 2, "subagentTranscripts": 1}
    whole = json.loads(exported(catalog_of(tmp_path / "b", data), "json", subagents=True).text)
    names = [[r["uuid"] for r in t["records"]] for t in whole["transcripts"]]
    assert names == [[*map(uuid, ["u1", "a1", "a2"])], [*map(uuid, ["k1", "k1.a"])]]
    assert whole["transcripts"][0]["leftOut"] == {}


def test_what_came_before_a_compaction_is_there_and_marked(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, transcript("u1 a1 b1 c1 u2 a2"))
    text = exported(catalog, "markdown").text
    assert "## 1. u1\n\ncompacted · 2026-05-28 00:00:00 UTC\n" in text
    assert "\n## Compaction\n" in text
    page = exported(catalog, "html").text
    assert page.count('class="turn summarized"') == 1


def test_an_unfinished_line_is_told(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, transcript("u1 a1") + b'{"type":"user","uu')
    assert "- unfinished last lines: 1\n" in exported(catalog, "markdown").text


# --- parts -------------------------------------------------------------------------------------


def test_a_large_session_comes_in_parts_and_is_the_same(tmp_path: Path) -> None:
    large = {f"a{n}": assistant(f"a{n}", text_block("word " * 120_000)) for n in range(1, 6)}
    names = " ".join(f"u{n} a{n}" for n in range(1, 6))
    catalog = catalog_of(tmp_path, transcript(names, fields=large))
    handler = HANDLERS["forkpoint/export"]
    question = {"sessionId": SESSION, "format": "json"}
    first: Any = handler(catalog, decode_params("forkpoint/export", question))
    assert first.cursor is not None
    assert 0 < first.done < first.total
    whole = json.loads(exported(catalog, "json").text)
    assert [len(r["blocks"][0]["text"]) for r in whole["transcripts"][0]["records"]][1::2] == [
        600_000
    ] * 5


def test_a_part_that_is_no_longer_kept_is_refused(tmp_path: Path) -> None:
    from forkpoint.protocol.errors import RequestFailed

    catalog = catalog_of(tmp_path, SMALL)
    for cursor in ("1.1", "0", "", "1.1.1", "-1.0", "x.y"):
        with pytest.raises(RequestFailed, match="no longer kept"):
            exported(catalog, "json", cursor=cursor)


# --- hostile content ---------------------------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "[click](javascript:alert(1)) ![x](http://evil.example/p.png) <http://evil.example>",
    "</details></pre></article></main><h1>mine</h1>",
    "```\n</details>\n~~~~\n````text\n# no heading",
    "- [ ] list\n# Heading\n===\n1. one\n> quote\n\n    code\n\t tab",
    "www.evil.example http://evil.example a@evil.example @everyone #1 :tada: $x$",
    "\x1b[31mred\x1b[0m \x00\x07 \u202egnp.exe \u2028\u2066 \r alone",
    "wide " * 60_000,
    "&lt;b&gt; &amp; &#64;dev",
    '" onmouseover="alert(1)" \' style=\'',
    "<!-- --> <![CDATA[ ]]> <?php ?>",
]


def hostile_session(folder: Path) -> Catalog:
    fields: dict[str, Any] = {}
    names: list[str] = []
    for n, text in enumerate(HOSTILE):
        fields[f"u{n}"] = user(text)
        fields[f"a{n}"] = assistant(
            f"a{n}", {"type": "thinking", "thinking": text}, text_block(text)
        )
        fields[f"t{n}"] = assistant(f"t{n}", call_block(str(n), text[:500], **{text[:500]: text}))
        content = [text_block(text), {"type": text[:500], "x": text}]
        fields[f"r{n}"] = {"message": {"content": [result_block(str(n), content=content)]}}
        fields[f"h{n}"] = {"attachment": {"type": text[:500], "filename": text, "content": text}}
        fields[f"s{n}"] = {"subtype": text[:500], "content": text, "gitBranch": text[:500]}
        names += [f"u{n}", f"a{n}", f"t{n}", f"r{n}", f"h{n}", f"s{n}"]
    data = transcript(" ".join(names), fields=fields)
    title = row_line(type="custom-title", customTitle=" ".join(HOSTILE[:6]), sessionId=SESSION)
    return catalog_of(folder, data + title)


_TAGS = """
html head meta title style body header h1 h2 h3 dl dt dd p nav details summary ol ul li a main
section article pre strong time span footer img
"""
TAGS = set(_TAGS.split())
_ATTRIBUTES = "lang charset http-equiv content name aria-label id class href alt src"
ATTRIBUTES = set(_ATTRIBUTES.split())


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.odd: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.odd.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.odd.append(data)

    def handle_pi(self, data: str) -> None:
        self.odd.append(data)

    def unknown_decl(self, data: str) -> None:
        self.odd.append(data)


def test_in_a_page_nothing_from_a_transcript_is_markup(tmp_path: Path) -> None:
    text = exported(hostile_session(tmp_path), "html").text
    page = Page()
    page.feed(text)
    page.close()
    assert (page.open, page.odd) == ([], [])
    assert {tag for tag, _ in page.seen} <= TAGS
    assert {name for _, attrs in page.seen for name in attrs} <= ATTRIBUTES
    ids = [attrs["id"] for _, attrs in page.seen if "id" in attrs]
    assert len(ids) == len(set(ids)) == 6 * len(HOSTILE) + 1
    links = {str(attrs["href"])[:3] for _, attrs in page.seen if "href" in attrs}
    assert links == {"#r-"}
    assert {attrs["href"] for _, attrs in page.seen if "href" in attrs} <= {f"#{id}" for id in ids}
    words = "".join(page.texts)
    assert words.count("<script>alert(1)</script>") >= 6
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", text)


def test_a_page_says_what_a_browser_may_load(tmp_path: Path) -> None:
    import base64
    import hashlib

    text = exported(hostile_session(tmp_path), "html").text
    style = text[text.index("<style>") + 7 : text.index("</style>")]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:;"
    assert text.count(f'content="{policy}') == 1
    assert "http" not in re.sub(r"https?://evil|http-equiv", "", text[: text.index("<main>")])
    assert "url(" not in style
    assert "@import" not in style


def test_json_has_every_text_as_it_was(tmp_path: Path) -> None:
    whole = json.loads(exported(hostile_session(tmp_path), "json").text)
    records = whole["transcripts"][0]["records"]
    prompts = [record["blocks"][0]["text"] for record in records if record["role"] == "prompt"]
    assert prompts == HOSTILE
    inputs = [
        block["input"]
        for record in records
        for block in record["blocks"]
        if block["kind"] == "toolUse"
    ]
    assert inputs == [{text[:500]: text} for text in HOSTILE]


# --- Markdown, piece by piece ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain, 店 (and 1.5)", "plain, 店 (and 1.5)"),
        ("a*b_c`d", "a\\*b\\_c\\`d"),
        ("[x](y) <b> &amp;", "\\[x\\](y) \\<b\\> \\&amp;"),
        ("http://x www.x", "http\\://x www\\.x"),
        ("@dev #1 # x", "@\u2060dev #\u20601 # x"),
        ("two\nlines", "two lines"),
    ],
)
def test_a_part_of_a_line(text: str, written: str) -> None:
    assert line(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("one\ntwo\n\n\nthree", ["one\\", "two", "", "three"]),
        ("# x", ["\\# x"]),
        ("1. x\n- y\n+ z\n===", ["1\\. x\\", "\\- y\\", "\\+ z\\", "\\==="]),
        ("    deep", ["\u00a0\u00a0\u00a0\u00a0deep"]),
        ("```\ncode", ["```text", "code", "```"]),
        ("a\n~~~ py\n```\n~~~\nb", ["a", "", "````text", "```", "````", "", "b"]),
        ("", []),
    ],
)
def test_paragraphs(text: str, written: list[str]) -> None:
    assert prose(text) == written


def test_a_fence_is_longer_than_all_in_it() -> None:
    assert fence("a\n`````\nb") == ["``````text", "a", "`````", "b", "``````"]


def test_a_summary_holds_no_tag() -> None:
    assert tag_text("<b> @x") == "&lt;b&gt; @\u2060x"
