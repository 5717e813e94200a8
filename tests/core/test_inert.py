"""Text from a transcript does nothing in a Markdown document and hides nothing from a reader."""

from __future__ import annotations

import pytest

from forkpoint.inert import fenced, inline, literal, visible, without_escapes


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, 店 and 🙂", "plain text, 店 and 🙂"),
        ("a\tb\nc", "a\tb\nc"),
        ("dos\r\nline", "dos\nline"),
        ("lone\rreturn", "lone␍return"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("nul\0 del\x7f", "nul␀ del␡"),
        ("\u202egnp.exe", "⟦U+202E⟧gnp.exe"),
        ("zero\u200ewidth\ufeff", "zero⟦U+200E⟧width⟦U+FEFF⟧"),
    ],
)
def test_what_would_act_unseen_is_seen(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<script>", "\\<script>"),
        ("[text](command:run)", "[text]\\(command:run)"),
        ("![picture](x)", "![picture]\\(x)"),
        ("call(a[0])", "call(a[0])"),
        ("two\nlines", "two lines"),
        ("ends with \\", "ends with \\\\"),
    ],
)
def test_inside_a_line_nothing_is_a_link_or_html(text: str, written: str) -> None:
    assert inline(text) == written


def test_literal_text_is_a_block_of_its_own() -> None:
    assert literal("\n# no heading\n\n```\n") == ["    # no heading", "", "    ```"]


def test_a_fence_is_longer_than_any_inside() -> None:
    assert fenced("a\n````\nb\nc", most=3) == (["`````text", "a", "````", "b", "`````"], 1)
    assert fenced("short", most=40) == (["```text", "short", "```"], 0)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[38;2;255;0;0mred\x1b[m", "red"),
        ("\x1b[2K\x1b[1Gline", "line"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://a/b\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP1$r\x1b\\text", "text"),
        ("\x1b(Btext\x1b7\x1b8\x1bM", "text"),
        ("cut in mid-order \x1b[38;2", "cut in mid-order "),
        ("[31m is no order", "[31m is no order"),
        ("a lone \x1b", "a lone \x1b"),
        ("\x1b[31 \n", "\x1b[31 \n"),
    ],
)
def test_what_a_terminal_obeys_is_left_out(text: str, left: str) -> None:
    assert without_escapes(text) == left
