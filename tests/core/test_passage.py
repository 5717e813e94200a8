"""How single records read, and that their text does not act in the document."""

from __future__ import annotations

import pytest

from forkpoint.readable import Header
from forkpoint.records.record import Role
from forkpoint.row import Row
from forkpoint.session import Fate
from tests.rows import (
    TOP,
    attachment,
    line,
    prompt,
    response,
    result,
    row,
    system,
    thought,
    use,
    write,
)

IMAGE = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}


def below_top(*rows: Row) -> str:
    text = write(*rows).text
    assert text.startswith(TOP)
    return text[len(TOP) :]


def local(content: str, fate: Fate = "sent") -> Row:
    return system({"subtype": "local_command", "content": content}, Role.COMMAND, fate)


PASSAGES = [
    ("nothing", [], ""),
    (
        "a command and its output",
        [
            local("<command-name>/cost</command-name>\n<command-args></command-args>"),
            local("<local-command-stdout>\x1b[2m$1\x1b[22m</local-command-stdout>"),
        ],
        "\n## 1. /cost\n\n```text\n$1\n```\n",
    ),
    (
        "a shell line",
        [
            row(Role.SHELL, "<bash-input>ls</bash-input>"),
            row(Role.SHELL, "<bash-stdout></bash-stdout><bash-stderr></bash-stderr>"),
        ],
        "\n## 1. ! ls\n\n(no output)\n",
    ),
    (
        "output that is shown only",
        [local("<local-command-stdout>a</local-command-stdout>", "notSent")],
        "\n(not sent)\n\n```text\na\n```\n",
    ),
    (
        "context around a prompt",
        [prompt("<ide_opened_file>a.py</ide_opened_file>", "Fix `it`")],
        "\n## 1. Fix `it`\n\n· Context: \\<ide_opened_file>a.py\\</ide_opened_file>\n\n"
        "    Fix `it`\n",
    ),
    (
        "a picture alone",
        [prompt({"type": "image"})],
        "\n## 1. [image]\n\n▸ Image: unknown type, 0 bytes\n",
    ),
    (
        "a prompt longer than a heading",
        [prompt("a" * 101)],
        f"\n## 1. {'a' * 100}…\n\n    {'a' * 101}\n",
    ),
    ("a heading that escapes says it again", [prompt("<b>")], "\n## 1. \\<b>\n\n    <b>\n"),
    ("an odd time", [prompt("a", at="<now>")], "\n## 1. a\nYou · Time: \\<now>\n"),
    ("a prompt that is not sent", [prompt("a", fate="notSent")], "\n## 1. a\n(not sent)\n"),
    (
        "a call that is dropped",
        [response(use("t", "Bash", command="ls"), fate="notSent")],
        "\n### Claude\n\n▸ Bash: ls (not sent)\n",
    ),
    (
        "a result without its call",
        [result("t", "a")],
        "\n### Claude\n\n◂ Result\n```text\na\n```\n",
    ),
    (
        "a result that fails below its call",
        [response(use("t", "Bash", command="ls")), result("t", "a", is_error=True)],
        "\n### Claude\n\n▸ Bash: ls\n◂ failed\n```text\na\n```\n",
    ),
    (
        "41 lines",
        [response(use("t", "Bash", command="x")), result("t", "a\n" * 41)],
        "\n### Claude\n\n▸ Bash: x\n```text\n" + "a\n" * 40 + "```\n… 1 more line\n",
    ),
    (
        "40 lines",
        [response(use("t", "Bash", command="x")), result("t", "a\n" * 40)],
        "\n### Claude\n\n▸ Bash: x\n```text\n" + "a\n" * 40 + "```\n",
    ),
    (
        "one long line",
        [response(use("t", "Bash", command="x")), result("t", "a" * 20_001)],
        f"\n### Claude\n\n▸ Bash: x\n```text\n{'a' * 20_000}\n```\n… 20,001 bytes in all\n",
    ),
    (
        "a spilled result",
        [result("t", "<persisted-output>\nToo large (2KB). Full output saved to: /a/b.txt\n")],
        "\n### Claude\n\n◂ Result\n```text\n<persisted-output>\nToo large (2KB). Full output saved"
        " to: /a/b.txt\n```\n… 2,048 bytes in all, kept in b.txt\n",
    ),
    (
        "a picture as result",
        [response(use("t", "Read", file_path="/a.png")), result("t", [IMAGE])],
        "\n### Claude\n\n▸ Read a.png\n▸ Image: unknown type, 3 bytes\n",
    ),
    (
        "a fence inside a fence",
        [result("t", "a\n````\n# b\n````")],
        "\n### Claude\n\n◂ Result\n`````text\na\n````\n# b\n````\n`````\n",
    ),
    (
        "thoughts not stored",
        [response(thought(""))],
        "\n### Claude\n\n▸ Thinking, not stored in words\n",
    ),
    (
        "an answer about the client's marks",
        [response("<bash-stdout>a</bash-stdout> is a mark")],
        "\n### Claude\n\n    <bash-stdout>a</bash-stdout> is a mark\n",
    ),
    ("blanks for an answer", [response(" \n")], "\n### Claude\n\n· Response without content\n"),
    ("an empty answer", [response()], "\n### Claude\n\n· Response without content\n"),
    (
        "a long answer",
        [response("a" * 20_001)],
        f"\n### Claude\n\n    {'a' * 20_000}\n\n… cut at 20,000 characters\n",
    ),
    (
        "an unknown block",
        [response({"type": "later", "x": 1})],
        '\n### Claude\n\n▸ later\n```text\n{"type":"later","x":1}\n```\n',
    ),
    (
        "an unknown record",
        [line(Role.STATE, {"type": "later", "uuid": "u"})],
        "\n▸ A record of no known kind, kept raw\n\n▸ later\n```text\n"
        '{"type":"later","uuid":"u"}\n```\n',
    ),
    (
        "notes",
        [
            row(Role.INTERRUPT, "[Request interrupted by user]"),
            row(Role.API_ERROR, "API Error: 500", fate="notSent"),
            system({"subtype": "informational", "content": "Hi\nthere"}),
        ],
        "\n· Interrupted: [Request interrupted by user]\n· API error: API Error: 500 (not sent)\n"
        "· System: Hi there (not sent)\n",
    ),
    (
        "the speaker is named again after another one",
        [response("a"), attachment("date"), response("b"), prompt("c"), response("d")],
        "\n### Claude\n\n    a\n\n· Attachment: date\n\n    b\n\n## 1. c\n\n### Claude\n\n    d\n",
    ),
]


@pytest.mark.parametrize(("rows", "text"), [p[1:] for p in PASSAGES], ids=[p[0] for p in PASSAGES])
def test_passages(rows: list[Row], text: str):
    assert below_top(*rows) == text


INERT = [
    ("a\x1b[31mb\x07\x7f\x9b", "a␛[31mb␇␡⟦U+009B⟧"),
    ("\u202eabc\u2066\u200f", "⟦U+202E⟧abc⟦U+2066⟧⟦U+200F⟧"),
    ("a\rb\x0bc\x0cd\x85e\u2028f", "a␍b␋c␌d⟦U+0085⟧e⟦U+2028⟧f"),
    ("a\r\nb\r\r\n", "a\n    b␍"),
    ("a\tb 👩\u200d🔬 é", "a\tb 👩\u200d🔬 é"),
    ("\U000e0041\ufeff", "⟦U+E0041⟧⟦U+FEFF⟧"),
]


@pytest.mark.parametrize(("written", "shown"), INERT)
def test_what_hides_or_obeys_is_shown(written: str, shown: str):
    assert below_top(response(written)) == f"\n### Claude\n\n    {shown}\n"


INLINE = [
    ("![a](http://b/c.png)", "![a]\\(http://b/c.png)"),
    ("<img src=x>", "\\<img src=x>"),
    ("\\<b>", "\\\\\\<b>"),
    ("C:\\Users\\dev\\", "C:\\Users\\dev\\\\"),
    ("a `b` _c_ [d] (e)", "a `b` _c_ [d] (e)"),
]


@pytest.mark.parametrize(("written", "shown"), INLINE)
def test_one_line_texts_do_not_act(written: str, shown: str):
    assert below_top(row(Role.INJECTED, written)) == f"\n· Context: {shown}\n"


def test_the_header_does_not_act():
    assert write(header=Header("a\n# b", "<i>", "s", None)).text == (
        "# a # b\n\n- Project: \\<i>\n- Session: s\n"
    )
