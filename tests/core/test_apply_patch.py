"""The patches of Codex as values, by their grammar and by the forms that calls and events have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.records.apply_patch import (
    changes_in_event,
    patch_in_command,
    patch_in_input,
    patch_in_text,
)
from forkpoint.records.file_changes import FileChange, Hunk, Patch

ALL_KINDS = """\
*** Begin Patch
*** Add File: notes/new.md
+# Title
+
+text
*** Delete File: old.txt
*** Update File: src/a.py
*** Move to: src/b.py
@@ class A:
 def f():
-    return 1
+    return 2

@@
-last
+end
*** End of File
*** Update File: c.py
 first
+second
*** End Patch
"""

CHANGES = (
    FileChange("add", "notes/new.md", content="# Title\n\ntext\n"),
    FileChange("delete", "old.txt"),
    FileChange(
        "update",
        "src/a.py",
        "src/b.py",
        hunks=(
            Hunk(("def f():", "    return 1", ""), ("def f():", "    return 2", ""), "class A:"),
            Hunk(("last",), ("end",), at_end=True),
        ),
    ),
    FileChange("update", "c.py", hunks=(Hunk(("first",), ("first", "second")),)),
)

SMALL = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"
ADDED = Patch((FileChange("add", "a", content="x\n"),))


def test_every_kind_of_change() -> None:
    assert patch_in_text(ALL_KINDS) == Patch(CHANGES)


@pytest.mark.parametrize(
    "text",
    [
        SMALL,
        f"\n\n  {SMALL}  \n\n",
        SMALL.replace("\n", "\r\n"),
        f"<<'EOF'\n{SMALL}\nEOF\n",
        f'<<"EOF"\n{SMALL}\nEOF',
        f"<<PATCH\n{SMALL}\nPATCH",
        "*** Begin Patch  \n *** Add File: a \n+x\n  *** End Patch",
        "*** Begin Patch\n*** Environment ID: 7\n\n*** Add File: a\n+x\n\n*** End Patch",
    ],
    ids=["plain", "blanks", "crlf", "quoted", "double", "unquoted", "padded", "environment"],
)
def test_what_is_forgiven(text: str) -> None:
    assert patch_in_text(text) == ADDED


@pytest.mark.parametrize(
    ("text", "changes", "problem"),
    [
        ("", 0, "The first line of the patch is not “*** Begin Patch”."),
        ("[REDACTED]", 0, "The first line of the patch is not “*** Begin Patch”."),
        ("*** Begin Patch", 0, "The last line of the patch is not “*** End Patch”."),
        (SMALL[:-9], 1, "Line 4 of the patch: it is none of “*** Add File”, “*** Delete File” and"),
        (SMALL[:-14], 1, "The last line of the patch is not “*** End Patch”."),
        (
            "*** Begin Patch\n*** Update File: a\n*** End Patch",
            0,
            "Line 3 of the patch: the update changes nothing.",
        ),
        (
            "*** Begin Patch\n*** Update File: a\n@@\n*** End Patch",
            0,
            "Line 4 of the patch: a line of a hunk begins with “ ”, “-” or “+”.",
        ),
        (
            "*** Begin Patch\n*** Update File: a\n x\nodd\n*** End Patch",
            0,
            "Line 4 of the patch: a hunk begins with “@@”.",
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, changes: int, problem: str) -> None:
    patch = patch_in_text(text)
    assert len(patch.changes) == changes
    assert (patch.problem or "").startswith(problem)


def test_an_empty_patch_and_an_empty_file() -> None:
    assert patch_in_text("*** Begin Patch\n*** End Patch") == Patch()
    added = patch_in_text("*** Begin Patch\n*** Add File: empty\n*** End Patch")
    assert added == Patch((FileChange("add", "empty", content=""),))


def test_a_file_may_be_only_moved() -> None:
    moved = patch_in_text("*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch")
    assert moved == Patch((FileChange("update", "a", "b"),))


def test_markers_as_lines_of_a_file() -> None:
    text = "*** Begin Patch\n*** Add File: p\n+*** End Patch\n++++ a\n+@@ -1 +1 @@\n*** End Patch"
    content = "*** End Patch\n+++ a\n@@ -1 +1 @@\n"
    assert patch_in_text(text) == Patch((FileChange("add", "p", content=content),))


# --- calls -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        ["apply_patch", SMALL],
        ["applypatch", SMALL],
        ["apply_patch", f"<<'EOF'\n{SMALL}\nEOF\n"],
        ["bash", "-lc", f"apply_patch <<'EOF'\n{SMALL}\nEOF\n"],
        ["/bin/zsh", "-lc", f"apply_patch <<'EOF'\n{SMALL}\nEOF"],
        ["pwsh.exe", "-NoProfile", "-Command", f"apply_patch <<'EOF'\n{SMALL}\nEOF"],
        f"apply_patch <<'EOF'\n{SMALL}\nEOF\n",
        f"apply_patch <<-X\n{SMALL}\n\tX\n",
        f"set -e\napply_patch << 'EOF' && echo done\n{SMALL}\nEOF\nls",
        f"(apply_patch <<EOF\n{SMALL}\nEOF)",
        f"apply_patch '{SMALL}'",
        f'apply_patch "{SMALL}"',
    ],
)
def test_a_call_that_applies_a_patch(command: str | list[str]) -> None:
    assert patch_in_command(command) == ADDED


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["ls"],
        ["apply_patch"],
        ["bash", "-lc", "rg apply_patch src"],
        ["bash", "script.sh", SMALL],
        "ls -l",
        "echo 'apply_patch <<EOF'",
        "man apply_patch",
    ],
)
def test_a_call_that_applies_none(command: str | list[str]) -> None:
    assert patch_in_command(command) is None


@pytest.mark.parametrize(
    ("folder", "path"),
    [("sub", "sub/a"), ("/abs", "/abs/a"), ("'my dir'", "my dir/a"), ('"my dir"', "my dir/a")],
)
def test_the_folder_that_a_script_goes_to(folder: str, path: str) -> None:
    script = f"cd {folder} && apply_patch <<'EOF'\n{SMALL}\nEOF"
    assert patch_in_command(script) == Patch((FileChange("add", path, content="x\n"),))


def test_an_absolute_path_stays_and_a_move_is_joined_too() -> None:
    text = "*** Begin Patch\n*** Update File: /x/a\n*** Move to: b\n*** End Patch"
    patch = patch_in_command(f"cd sub && apply_patch <<E\n{text}\nE")
    assert patch == Patch((FileChange("update", "/x/a", "sub/b"),))


def test_two_patches_of_one_script() -> None:
    script = f"apply_patch <<A\n{SMALL}\nA\ncd b && apply_patch <<A\n{SMALL}\nA\n"
    second = FileChange("add", "b/a", content="x\n")
    assert patch_in_command(script) == Patch((*ADDED.changes, second))


def test_a_here_document_that_does_not_end() -> None:
    assert patch_in_command(f"apply_patch <<EOF\n{SMALL}") == ADDED
    cut = patch_in_command("apply_patch <<EOF\n*** Begin Patch\n*** Add File: a\n+x")
    assert cut == Patch(ADDED.changes, "The last line of the patch is not “*** End Patch”.")


@pytest.mark.parametrize(
    "call_input",
    [
        SMALL,
        {"input": SMALL},
        {"patch": SMALL},
        {"command": ["apply_patch", SMALL], "workdir": "/w"},
        {"command": f"apply_patch <<'EOF'\n{SMALL}\nEOF"},
        {"cmd": f"apply_patch <<'EOF'\n{SMALL}\nEOF", "workdir": "/w"},
    ],
)
def test_the_input_of_a_call(call_input: object) -> None:
    assert patch_in_input(call_input) == ADDED


@pytest.mark.parametrize("call_input", [None, 7, [], {}, {"cmd": 7}, {"command": [1, 2]}])
def test_an_input_without_a_patch(call_input: object) -> None:
    assert patch_in_input(call_input) is None


# --- events ------------------------------------------------------------------------------------


def test_what_an_event_tells() -> None:
    changes = {
        "/w/new": {"type": "add", "content": "x"},
        "/w/gone": {"type": "delete", "content": "was\n"},
        "/w/old": {
            "type": "update",
            "unified_diff": "@@ -1,2 +1,3 @@\n a\r\n-b\n\\ No newline at end of file\n+--- c\n+d\n",
            "move_path": "/w/moved",
        },
        "/w/early": {"update": {"unified_diff": "@@ -0,0 +1 @@\n+x\n", "move_path": None}},
    }
    hunk = Hunk(
        ("a\r", "b"),
        ("a\r", "--- c", "d"),
        old_start=1,
        new_start=1,
        old_ends=False,
    )
    assert changes_in_event(changes) == Patch(
        (
            FileChange("add", "/w/new", content="x"),
            FileChange("delete", "/w/gone", content="was\n"),
            FileChange("update", "/w/old", "/w/moved", hunks=(hunk,)),
            FileChange("update", "/w/early", hunks=(Hunk((), ("x",), old_start=0, new_start=1),)),
        )
    )


def test_lines_that_look_like_headers_are_lines() -> None:
    diff = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-@@ -9 +9 @@\n--- x\n+@@\n++++ y\n@@ -8 +8 @@\n-p\n+q\n"
    [change] = changes_in_event({"f": {"type": "update", "unified_diff": diff}}).changes
    assert change.hunks == (
        Hunk(("@@ -9 +9 @@", "-- x"), ("@@", "+++ y"), old_start=1, new_start=1),
        Hunk(("p",), ("q",), old_start=8, new_start=8),
    )
    assert change.is_located


def test_a_diff_without_numbers() -> None:
    diff = "@@\n a\n-b\n+c\n\\ No newline at end of file\n"
    [change] = changes_in_event({"f": {"type": "update", "unified_diff": diff}}).changes
    assert change.hunks == (Hunk(("a", "b"), ("a", "c"), new_ends=False),)
    assert not change.is_located


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        (None, "A change of the event has a form that is not known."),
        ("add", "A change of the event has a form that is not known."),
        ({"type": "add"}, "A change of the event has a form that is not known."),
        ({"type": "copy", "content": "x"}, "A change of the event has a form that is not known."),
        (
            {"type": "update", "unified_diff": "@@ -1,9 +1 @@\n a\n"},
            "The hunk in line 1 of the diff is not as long as it says.",
        ),
        (
            {"type": "update", "unified_diff": "@@ -1 +1 @@\n-a\n+b\nodd"},
            "Line 4 of the diff is no header of a hunk.",
        ),
    ],
)
def test_an_event_that_cannot_be_read_is_said(told: object, problem: str) -> None:
    read = changes_in_event({"bad": told, "good": {"type": "add", "content": ""}})
    assert read == Patch((FileChange("add", "good", content=""),), problem)


@pytest.mark.parametrize("changes", [None, [], "x", 3])
def test_an_event_without_files(changes: object) -> None:
    assert changes_in_event(changes) == Patch(problem="The event names no files.")


# --- anything ----------------------------------------------------------------------------------

pieces = st.sampled_from(
    [*ALL_KINDS.splitlines(), "@@ -1 +1 @@", "apply_patch <<EOF", "EOF", "\\ No", "\r", "\0", "é"]
)
texts = st.lists(pieces, max_size=12).map("\n".join) | st.text(max_size=60)
values = st.recursive(
    st.none() | st.integers() | texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "content", "unified_diff", "input", "command", "update", "f"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(texts, values)
def test_nothing_raises(text: str, value: object) -> None:
    assert isinstance(patch_in_text(text), Patch)
    assert isinstance(patch_in_command(text), Patch | None)
    assert isinstance(patch_in_input(value), Patch | None)
    assert isinstance(changes_in_event(value), Patch)
    assert isinstance(changes_in_event({"f": {"type": "update", "unified_diff": text}}), Patch)
