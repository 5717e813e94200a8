"""Commands that print one file, and what their output tells of it; the real commands are asked."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forkpoint.shell_reads import (
    END_UNTOLD,
    FileRead,
    Seen,
    read_by,
    read_by_tool,
    seen_in,
    shows,
)


def asked(command: str | list[str]) -> tuple[str, int, int | None, bool] | None:
    read = read_by(command)
    return None if read is None else (read.path, read.first, read.last, read.numbered is not None)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat a.py", ("a.py", 1, None, False)),
        ("  cat 'a file.py' ", ("a file.py", 1, None, False)),
        ('cat "a.py"', ("a.py", 1, None, False)),
        ("cat -- a.py", ("a.py", 1, None, False)),
        ("cat -n a.py", ("a.py", 1, None, True)),
        ("nl -ba a.py", ("a.py", 1, None, True)),
        ("nl -b a a.py", ("a.py", 1, None, True)),
        ("sed -n '1,200p' a.py", ("a.py", 1, 200, False)),
        ("sed -n 5,9p a.py", ("a.py", 5, 9, False)),
        ("sed -n 7p a.py", ("a.py", 7, 7, False)),
        ("sed -n '3,$p' a.py", ("a.py", 3, None, False)),
        ("nl -ba a.py | sed -n '10,20p'", ("a.py", 10, 20, True)),
        ("cat -n a.py | sed -n '1,20p'", ("a.py", 1, 20, True)),
        ("head a.py", ("a.py", 1, 10, False)),
        ("head -n 40 a.py", ("a.py", 1, 40, False)),
        ("head -40 a.py", ("a.py", 1, 40, False)),
        ("head -n40 a.py", ("a.py", 1, 40, False)),
        ("tail -n +1 a.py", ("a.py", 1, None, False)),
        ("tail -n +5 a.py", ("a.py", 5, None, False)),
        (["cat", "a $x.py"], ("a $x.py", 1, None, False)),
        (["sed", "-n", "1,4p", "a.py"], ("a.py", 1, 4, False)),
    ],
)
def test_a_plain_read(
    command: str | list[str], expected: tuple[str, int, int | None, bool]
) -> None:
    assert asked(command) == expected


@pytest.mark.parametrize(
    "command",
    [
        "",
        "cat",
        "cat a.py b.py",
        "cat -A a.py",
        "cat -",
        "cat a.py; ls",
        "cat a.py && ls",
        "cat a.py || ls",
        "cd sub && cat a.py",
        "cat a.py | head",
        "cat a.py > b.py",
        "cat < a.py",
        "cat <<EOF\nx\nEOF",
        "cat a.py\nls",
        "cat $FILE",
        "cat ~/a.py",
        "cat *.py",
        "cat `ls`",
        "cat 'a.py",
        "cat a\\ b.py",
        "FOO=1 cat a.py",
        "sudo cat a.py",
        "sed '1,5p' a.py",
        "sed -n '1,5p;9p' a.py",
        "sed -n '5,1p' a.py",
        "sed -n '0,5p' a.py",
        "sed -n '/x/p' a.py",
        "sed -n -i '1,5p' a.py",
        "sed -n '1,5p' a.py | nl -ba",
        "nl a.py",
        "nl -ba a.py | sed -n '1,5p' | cat",
        "nl -ba a.py ; sed -n '1,5p'",
        "head -c 5 a.py",
        "head -n -5 a.py",
        "tail a.py",
        "tail -n 5 a.py",
        "git show HEAD:a.py",
        "cat " + "a" * 3000,
    ],
)
def test_what_is_no_plain_read(command: str) -> None:
    assert read_by(command) is None


# --- what an output tells ------------------------------------------------------------------------


def seen(command: str, output: str) -> Seen | None:
    read = read_by(command)
    assert read is not None
    return seen_in(read, output)


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("cat f", "a\nb\n", Seen("a\nb\n")),
        ("cat f", "a\nb", Seen("a\nb")),
        ("cat f", "", Seen("")),
        ("cat f", "\n", Seen("\n")),
        ("cat f", "a\r\n", Seen("a\r\n")),
        ("head -n 3 f", "a\nb\n", Seen("a\nb\n")),
        ("head -n 2 f", "a\nb\n", Seen(None, None, 1, ("a", "b"), ends=False)),
        ("head -n 2 f", "a\nb", Seen("a\nb")),
        ("sed -n 1,3p f", "a\nb\n", Seen("a\nb\n", END_UNTOLD)),
        ("sed -n 1,3p f", "a\nb", Seen("a\nb")),
        ("sed -n 1,3p f", "", Seen("")),
        ("sed -n 1,2p f", "a\r\nb\r\n", Seen(None, None, 1, ("a", "b"), ends=False)),
        ("sed -n 4,9p f", "d\n", Seen(None, None, 4, ("d",), ends=True)),
        ("sed -n 4,9p f", "", None),
        ("sed -n 1,2p f", "a\nb\nc\n", None),
        ("tail -n +3 f", "c\n", Seen(None, None, 3, ("c",), ends=True)),
        ("cat -n f", "     1\ta\n     2\t\n", Seen("a\n\n")),
        ("cat -n f", "     1\ta\n     2\tb", Seen("a\nb")),
        ("nl -ba f", "     1\ta\n     2\tb\n", Seen("a\nb\n", END_UNTOLD)),
        ("nl -ba f", "     1\ta\n     3\tb\n", None),
        ("nl -ba f", "     1\ta\n\n", None),
        ("nl -ba f | sed -n 2,3p", "     2\tb\n", Seen(None, None, 2, ("b",), ends=True)),
        ("nl -ba f | sed -n 1,9p", "     1\tb\n", Seen("b\n", END_UNTOLD)),
        ("cat -n f", "a\n", None),
    ],
)
def test_what_an_output_tells(command: str, output: str, expected: Seen | None) -> None:
    assert seen(command, output) == expected


def test_what_the_tool_that_reads_files_tells() -> None:
    """It cuts long lines, and says nothing of line ends: no version is known by it."""
    whole = read_by_tool("f", None, None)
    assert seen_in(whole, "L1: a\nL2: ") == Seen(None, None, 1, ("a", ""), ends=True)
    assert seen_in(read_by_tool("f", 2, 1), "L2: b") == Seen(None, None, 2, ("b",), ends=False)
    assert seen_in(whole, "L1: " + "x" * 500) is None
    assert seen_in(whole, "L2: a") is None
    assert seen_in(whole, "") is None


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (Seen(None, None, 2, ("b", "c"), ends=True), True),
        (Seen(None, None, 1, ("a", "b"), ends=False), True),
        (Seen(None, None, 1, ("a", "b"), ends=True), False),
        (Seen(None, None, 2, ("x",), ends=False), False),
        (Seen(None, None, 4, ("d",), ends=True), False),
    ],
)
def test_whether_a_text_has_lines_that_were_shown(part: Seen, expected: bool) -> None:
    assert shows("a\nb\nc\n", part) is expected
    assert shows("a\r\nb\r\nc", part) is expected


lines = st.lists(st.sampled_from(["a", "", "  b", "\tc", "1\td", "é", "e\r"]), max_size=6)
texts = st.builds(lambda made, end: "\n".join(made) + end, lines, st.sampled_from(["", "\n"]))
commands = st.one_of(
    st.sampled_from(["cat f", "cat -n f", "nl -ba f", "head f", "tail -n +2 f", "tail -n +1 f"]),
    st.builds("sed -n '{},{}p' f".format, st.integers(1, 3), st.integers(3, 7)),
    st.builds("nl -ba f | sed -n '{},{}p'".format, st.integers(1, 3), st.integers(3, 7)),
    st.builds("head -n {} f".format, st.integers(1, 7)),
)


@settings(deadline=None, max_examples=60)
@given(texts, commands)
def test_the_real_commands_show_what_the_file_holds(
    tmp_path_factory: pytest.TempPathFactory, text: str, command: str
) -> None:
    folder: Path = tmp_path_factory.getbasetemp()
    (folder / "f").write_bytes(text.encode())
    ran = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, check=True)
    found = seen(command, ran.stdout.decode())
    if found is None:
        assert read_by(command) != FileRead("f")
    elif found.text is None:
        assert shows(text, found)
    elif found.unsure is None:
        assert found.text == text
    else:
        assert found.text.removesuffix("\n") == text.removesuffix("\n")
