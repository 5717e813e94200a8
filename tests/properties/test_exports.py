"""Exports of any session: each record once, nothing acts, no planted secret stays."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from html.parser import HTMLParser
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from forkpoint.catalog import Catalog
from forkpoint.export.markdown_text import fence, line, prose, tag_text
from forkpoint.redaction.redactor import Finder, What
from tests.builders import (
    SESSION,
    Fields,
    assistant,
    call_block,
    result_block,
    text_block,
    transcript,
    user,
)
from tests.builders import line as row_line
from tests.core.test_export import HOSTILE, TAGS, catalog_of, exported, hostile_session
from tests.e2e.recordings import HOMES, name_of, transcripts
from tests.made_up import KINDS, secret
from tests.strategies import files

FORMS = ("markdown", "html", "json")


# --- every record once -------------------------------------------------------------------------


def path_of(catalog: Catalog, reference: dict[str, str]) -> list[str]:
    """The uuids of the path as another request gives them."""
    from forkpoint.lsp.handlers import HANDLERS
    from forkpoint.protocol.params import decode_params

    answer: Any = HANDLERS["forkpoint/activePath"](
        catalog, decode_params("forkpoint/activePath", reference)
    )
    return [entry.uuid for entry in answer.entries]


def check_rows(catalog: Catalog, reference: dict[str, str]) -> None:
    path = path_of(catalog, reference)
    [conversation] = json.loads(exported(catalog, "json", **reference).text)["transcripts"]
    uuids = [record["uuid"] or "" for record in conversation["records"]]
    # Rows that a gap cuts off stand before the path.
    assert uuids[len(uuids) - len(path) :] == path
    assert len(uuids) == len(set(uuids)) == conversation["recordCount"]
    page = exported(catalog, "html", **reference).text
    assert page.count("<article") == len(uuids)


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_every_record_of_a_recording_stands_in_it_once(home: Path) -> None:
    catalog = Catalog([home])
    for each in transcripts(home):
        check_rows(catalog, each.reference)


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_shown_and_left_out_are_all_lines_of_a_recording(home: Path) -> None:
    catalog = Catalog([home])
    for each in transcripts(home):
        answer = exported(catalog, "json", **each.reference)
        shown = json.loads(answer.text)["transcripts"][0]["recordCount"]
        besides = {count.kind: count.count for count in answer.left_out}
        besides.pop("subagentTranscripts", None)
        besides.pop("unfinished", None)
        conversation = catalog.conversation(each.session_id, each.agent_id)
        assert shown + sum(besides.values()) == len(conversation.index.nodes)


@settings(max_examples=60, deadline=None)
@given(files, st.sampled_from(FORMS), st.booleans())
def test_any_file_can_be_exported(data: bytes, form: str, redacts: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        catalog = catalog_of(Path(folder), data)
        kinds = ["secrets", "paths", "names"] if redacts else []
        answer = exported(catalog, form, redact=kinds, subagents=True)
        assert answer.done == answer.total
        if form == "html":
            assert_is_plain(answer.text)
        if form == "json":
            assert json.loads(answer.text)["version"] == 1


# --- nothing acts ------------------------------------------------------------------------------

ODD = st.text(
    st.sampled_from("`~<>[]()!*_#&\\|$@:/.=-+ \t\n\r\x00\x1b\u202e\"'1aw")
    | st.characters(codec="utf-8"),
    max_size=60,
) | st.lists(
    st.sampled_from(
        [
            "```", "~~~", "````\n", "\n", "    ", "</details>", "<b>", "<!--", "-->", "<?", "&amp;",
            "![x](y)", "[x]: y", "http://x.y", "www.x.y", "@dev", "#1", "# x", "1. x", "- x", "---",
            "===", "> x", "| a | b |\n|---|---|", "\\", "`x", "<http://x>", "a@b.c", "x",
        ]
    ),
    max_size=8,
).map("".join)  # fmt: skip

markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(" ".join([tag, *(f"{name}={value}" for name, value in attrs)]))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.seen.append(f"comment {data}")

    def handle_pi(self, data: str) -> None:
        self.seen.append(f"pi {data}")

    def unknown_decl(self, data: str) -> None:
        self.seen.append(f"declaration {data}")


def tags_of(text: str) -> Tags:
    tags = Tags()
    tags.feed(text)
    tags.close()
    return tags


def rendered(lines: list[str]) -> Tags:
    return tags_of(markdown.render("\n".join(lines)))


def folded(text: str) -> list[str]:
    return [f"<details><summary>{tag_text(text)}</summary>", "", *fence(text), "", "</details>"]


@settings(max_examples=400, deadline=None)
@given(ODD)
def test_in_markdown_a_text_is_nothing_but_text(text: str) -> None:
    tags = rendered(["before", "", *prose(text), "", "# after"])
    assert set(tags.seen) <= {"p", "br", "pre", "code class=language-text", "h1"}
    assert tags.seen[-1] == "h1"
    tags = rendered([f"- {line(text)}", "", f"## {line(text)}"])
    assert set(tags.seen) <= {"ul", "li", "p", "h2"}


@settings(max_examples=400, deadline=None)
@given(ODD)
def test_nothing_ends_a_fence_or_what_is_folded(text: str) -> None:
    tags = rendered([*folded(text), "", "# after"])
    assert tags.seen == ["details", "summary", "pre", "code class=language-text", "h1"]


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("abc <>&*_`[]#.\n"), max_size=80))
def test_a_reader_of_markdown_sees_what_was_written(text: str) -> None:
    assume("```" not in text)
    words = "".join(rendered(prose(text)).texts).replace("\u00a0", " ").replace("\u2060", "")
    assert words.split() == text.split()


def test_a_forge_makes_nothing_of_a_hostile_session_but_its_form(tmp_path: Path) -> None:
    text = exported(hostile_session(tmp_path), "markdown").text
    tags = rendered(text.split("\n"))
    allowed = "h1 h2 h3 ul li p br strong pre code details summary hr"
    assert {tag.split(" ")[0] for tag in tags.seen} <= set(allowed.split())
    assert {tag for tag in tags.seen if " " in tag} == {"code class=language-text"}
    headings = [tag for tag in tags.seen if tag in ("h1", "h2", "h3")]
    assert headings == ["h1", *["h2", "h3"] * len(HOSTILE)]
    words = "".join(tags.texts)
    assert words.count("<script>alert(1)</script>") >= 6


def assert_is_plain(page: str) -> None:
    tags = tags_of(page)
    assert {tag.split(" ")[0] for tag in tags.seen} <= TAGS
    assert not any(
        " on" in tag.lower() for tag in tags.seen if not tag.startswith(("meta", "section", "img"))
    )


# --- no planted secret stays -------------------------------------------------------------------

secrets = st.builds(secret, st.sampled_from(sorted(KINDS)), st.integers(0, 10**6))
PLANTED = secrets.map(itemgetter(1))
AROUND = st.sampled_from(
    ["{}", "key: {}", "({})", "it is {}.", "钥匙{}。", "`{}`", "KEY={} && x", "<b>{}</b>", "a,{},b",
     "\\n{}\\n", "https://me:{}@x.org/", '{{"token": "{}"}}', "see\n{}\nthere"]
)  # fmt: skip


def in_json(text: str) -> str:
    return json.dumps({"out": json.dumps([text])})


def long_before(text: str) -> str:
    """At the place where the wire cuts."""
    return "x " * 9_990 + text


PLACES: dict[str, Callable[[str], tuple[str, Fields]]] = {
    "prompt": lambda text: ("u1", user(text)),
    "long prompt": lambda text: ("u1", user(long_before(text))),
    "first words": lambda text: ("u1", user("word " * 38 + text)),
    "answer": lambda text: ("a1", assistant("a1", text_block(text))),
    "thinking": lambda text: ("a1", assistant("a1", {"type": "thinking", "thinking": text})),
    "command": lambda text: ("t1", assistant("t1", call_block("1", "Bash", command=text))),
    "file": lambda text: ("t1", assistant("t1", call_block("1", "Read", file_path=f"/tmp/{text}"))),
    "input key": lambda text: (
        "t1",
        assistant("t1", call_block("1", "Mcp", **{text: {text: [text]}})),
    ),
    "result": lambda text: ("r1", {"message": {"content": [result_block("1", content=text)]}}),
    "long result": lambda text: (
        "r1",
        {"message": {"content": [result_block("1", content=[text_block(long_before(text))])]}},
    ),
    "result in JSON": lambda text: (
        "r1",
        {"message": {"content": [result_block("1", content=in_json(text))]}},
    ),
    "attachment": lambda text: (
        "h1",
        {"attachment": {"type": "file", "filename": text, "content": text}},
    ),
    "rendered": lambda text: ("h1", {"rendered": [{"role": "user", "content": text}]}),
    "system": lambda text: ("s1", {"content": text}),
    "unknown": lambda text: ("x1", {"anything": [{"deep": text}]}),
    "branch": lambda text: ("u1", {"gitBranch": text}),
    "folder": lambda text: ("u1", {"cwd": f"/srv/{text}"}),
}  # fmt: skip


def session_with(place: str, text: str, folder: Path) -> Catalog:
    name, fields = PLACES[place](text)
    data = transcript("u1 a1 t1 r1 h1 s1 x1 u2 a2", fields={name: fields})
    title = row_line(type="custom-title", customTitle=f"About {text}"[:200], sessionId=SESSION)
    return catalog_of(folder, data + title if place == "branch" else data)


@settings(max_examples=250, deadline=None)
@given(secrets, AROUND, st.sampled_from(sorted(PLACES)), st.sampled_from(FORMS))
def test_no_planted_secret_stays(
    planted: tuple[str, str], around: str, place: str, form: str
) -> None:
    secret, told = planted
    with tempfile.TemporaryDirectory() as folder:
        catalog = session_with(place, around.format(told), Path(folder))
        answer = exported(catalog, form, redact=["secrets"])
    pieces = [piece for piece in secret.split("\n") if len(piece) > 30 or piece == secret]
    for piece in pieces:
        assert piece not in answer.text
        assert piece.lower() not in answer.file_name
        # Nor half of it, where something was cut.
        assert piece[: len(piece) // 2 + 4] not in answer.text
    if place == "branch" and len(told) > 150:
        # A title that was cut within it is cut before it.
        return
    is_shown = place != "unknown"
    """No client goes on behind such a record: it is on no path."""
    assert any(count.kind.startswith("secret:") for count in answer.redactions) == is_shown


@settings(max_examples=200, deadline=None)
@given(st.lists(PLANTED | ODD | AROUND | st.just("/home/jane/x jane@corp.io"), max_size=5))
def test_taking_out_twice_is_taking_out_once(texts: list[str]) -> None:
    def clean(values: list[str]) -> Any:
        finder = Finder(What(secrets=True, paths=True, names=True))
        finder.people.know_folders(["/home/jane/x"])
        finder.look(values)
        return finder.done().value(values)

    once = clean([" ".join(texts)])
    assert clean(once) == once


@settings(max_examples=100, deadline=None)
@given(secrets, st.sampled_from(["", "x ", "\n"]))
def test_the_same_secret_is_the_same_placeholder(planted: tuple[str, str], before: str) -> None:
    secret = planted[1]
    finder = Finder(What(secrets=True))
    finder.look([secret, before + secret])
    clean = finder.done()
    assert clean.text(before + secret) == before + clean.text(secret)
    assert clean.distinct == 1


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_recordings_hold_no_secret(home: Path) -> None:
    """They were made without any: whatever is found is ordinary."""
    catalog = Catalog([home])
    for each in transcripts(home):
        answer = exported(catalog, "json", redact=["secrets"], **each.reference)
        assert answer.redactions == []
