"""Versions of files that Codex patched, as clients are told of them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from forkpoint import patch_histories
from forkpoint.catalog import Catalog
from forkpoint.lsp.features.checkpoint_changes import checkpoint_changes
from forkpoint.lsp.features.checkpoint_content import checkpoint_content
from forkpoint.lsp.features.checkpoint_files import checkpoint_files
from forkpoint.lsp.features.checkpoints import checkpoints
from forkpoint.protocol import types
from forkpoint.protocol.errors import InvalidParams, RequestFailed
from forkpoint.protocol.uri import path_of
from forkpoint.records.patched_calls import patch_told_in
from tests.builders import backup, snapshot, transcript
from tests.disk.checkpoint_home import C as KEPT
from tests.disk.checkpoint_home import CheckpointHome
from tests.disk.codex_home import A, B
from tests.disk.patched_home import FAILED, Session, catalog_of, uri_of
from tests.fixture_paths import PUBLIC

NO_BACKUPS = "Codex keeps no file backups; versions are rebuilt from its patches."
WHOLE = "The patch wrote the whole file; what was there before is not recorded."
FORWARD = "From what was recorded, by 1 patch, if nothing else changed it."
BACK = "From the file on disk, by undoing 1 patch, if nothing else changed it."
ON_DISK = "The file on disk, if nothing else changed it since."
CHANGED = "Something else changed the file then."
ROLLED_BACK = "The turn was rolled back, but Codex does not undo changes of files."


class Told(NamedTuple):
    """A version in short."""

    number: int
    kind: str
    obtained: str
    prompt: str | None
    after: bool
    content: str | None
    note: str | None


class Shop:
    """A project, a Codex home, and sessions that patch files."""

    def __init__(self, root: Path) -> None:
        self.home, self.folder = root / "codex", root / "shop"
        self.folder.mkdir()
        self._catalog: Catalog | None = None

    def session(self, thread_id: str = A, minute: int = 0) -> Session:
        return Session(str(self.folder), thread_id, minute)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_bytes(text.encode())

    def read(self, *sessions: Session) -> Catalog:
        for session in sessions:
            session.put(self.home)
        self._catalog = catalog_of(self.home)
        return self._catalog

    def asked(
        self, session_id: str | None = None, name: str | None = None
    ) -> dict[str, list[Told]]:
        """The histories by file name."""
        return {
            file.file.rpartition("/")[2]: [self._told(version) for version in file.versions]
            for file in self.answer(session_id, name).files
        }

    def answer(
        self, session_id: str | None = None, name: str | None = None
    ) -> types.CheckpointsResult:
        assert self._catalog is not None
        file = None if name is None else uri_of(self.folder, name)
        params = types.CheckpointsParams(session_id=session_id, file=file)
        return checkpoints(self._catalog, params)

    def content(self, document: str) -> str | None:
        assert self._catalog is not None
        params = types.CheckpointContentParams(document=document)
        return checkpoint_content(self._catalog, params).text

    def _told(self, version: types.FileVersion) -> Told:
        prompt = version.prompt.preview if version.prompt else None
        content = None if version.document is None else self.content(version.document)
        return Told(
            version.version,
            version.kind,
            version.obtained,
            prompt,
            version.after,
            content,
            version.note,
        )


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_patches_of_one_session(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Write it")
    session.patch("*** Add File: app.py", "+a", "+b", "*** Update File: old.py", "@@", "-x", "+y")
    session.prompt("Change it")
    session.patch("*** Update File: app.py", "@@", " a", "-b", "+B")
    session.patch("*** Update File: app.py", "@@", "-B", "+C", output=FAILED)
    shop.write("app.py", "a\nB\n")
    shop.write("old.py", "y\n")
    shop.read(session)
    assert shop.asked(A) == {
        "app.py": [
            Told(1, "created", "recorded", "Write it", True, "a\nb\n", WHOLE),
            Told(2, "edited", "forward", "Change it", True, "a\nB\n", FORWARD),
        ],
        "old.py": [
            Told(1, "first", "backward", "Write it", False, "x\n", BACK),
            Told(2, "edited", "backward", "Write it", True, "y\n", ON_DISK),
        ],
    }
    answer = shop.answer(A)
    assert answer.sentence == NO_BACKUPS
    assert [[problem.sentence for problem in file.problems] for file in answer.files] == [
        [NO_BACKUPS],
        [NO_BACKUPS],
    ]
    app = answer.files[0]
    assert [(each.added, each.removed) for each in app.versions] == [(2, 0), (1, 1)]
    assert [each.size_bytes for each in app.versions] == [4, 4]
    assert [each.source for each in app.versions] == ["patches", "patches"]
    assert app.versions[1].previous == app.versions[0].document
    assert (app.working.exists, app.working.edited_since) == (True, False)
    assert shop.asked(name="app.py") == {"app.py": shop.asked(A)["app.py"]}


def test_a_session_without_patches_says_it_too(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Hello")
    shop.read(session)
    assert shop.answer(A).sentence == NO_BACKUPS
    assert shop.answer(A).files == []
    assert shop.answer(name="app.py").sentence is None


def test_what_was_edited_by_hand_since(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Write it")
    session.patch("*** Add File: app.py", "+a")
    shop.write("app.py", "mine\n")
    shop.read(session)
    assert shop.asked(A) == {
        "app.py": [Told(1, "created", "recorded", "Write it", True, "a\n", f"{WHOLE} {CHANGED}")]
    }
    assert shop.answer(A).files[0].working.edited_since


def test_a_turn_that_was_rolled_back_left_its_changes(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Write it")
    session.patch("*** Add File: app.py", "+a")
    session.roll_back()
    session.prompt("Go on")
    session.patch("*** Update File: app.py", "@@", "-a", "+b")
    shop.write("app.py", "b\n")
    shop.read(session)
    assert shop.asked(A) == {
        "app.py": [
            Told(1, "created", "recorded", "Write it", True, "a\n", f"{WHOLE} {ROLLED_BACK}"),
            Told(2, "edited", "forward", "Go on", True, "b\n", FORWARD),
        ]
    }
    assert [each.on_active_path for each in shop.answer(A).files[0].versions] == [False, True]


def test_what_lies_before_a_compaction_was_not_rolled_back(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Write it")
    session.patch("*** Add File: app.py", "+a")
    session.compact()
    session.prompt("Go on")
    session.patch("*** Update File: app.py", "@@", "-a", "+b")
    shop.write("app.py", "b\n")
    shop.read(session)
    assert [each.note for each in shop.asked(A)["app.py"]] == [WHOLE, FORWARD]


def test_the_event_is_believed_rather_than_the_call(shop: Shop) -> None:
    """The client found other blanks than the patch has; only the event tells that."""
    session = shop.session()
    session.prompt("Change it")
    path = str(shop.folder / "app.py")
    diff = "@@ -2 +2 @@\n-\tx\n+y\n"
    session.patch(
        "*** Update File: app.py",
        "@@",
        "-x",
        "+y",
        event={path: {"type": "update", "unified_diff": diff, "move_path": None}},
    )
    shop.write("app.py", "x\ny\n")
    shop.read(session)
    assert [each.content for each in shop.asked(A)["app.py"]] == ["x\n\tx\n", "x\ny\n"]


def test_an_event_of_a_call_that_no_line_makes(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Delete it")
    path = str(shop.folder / "app.py")
    session.outside_patch({path: {"type": "delete", "content": "a\nb\n"}})
    shop.read(session)
    found = "The file as it was found when it was deleted."
    assert shop.asked(A) == {
        "app.py": [
            Told(1, "first", "recorded", "Delete it", False, "a\nb\n", found),
            Told(2, "deleted", "recorded", "Delete it", True, "", "The patch deleted the file."),
        ]
    }
    assert [each.state for each in shop.answer(A).files[0].versions] == ["present", "absent"]


def test_a_file_that_was_moved(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Write it")
    session.patch("*** Add File: a.py", "+a")
    session.prompt("Move it")
    heredoc = (
        "cd sub && apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: ../a.py\n"
        "*** Move to: ../b.py\n@@\n-a\n+b\n*** End Patch\nEOF"
    )
    session.shell(["bash", "-lc", heredoc])
    shop.write("b.py", "b\n")
    shop.read(session)
    versions = [
        Told(1, "created", "recorded", "Write it", True, "a\n", WHOLE),
        Told(2, "edited", "forward", "Move it", True, "b\n", FORWARD),
    ]
    assert shop.asked(A) == {"b.py": versions}
    assert shop.asked(name="b.py") == {"b.py": versions}
    assert shop.asked(name="a.py") == {"a.py": versions}


def test_the_folder_of_a_call(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Write it")
    patch = "*** Begin Patch\n*** Add File: a.py\n+a\n*** Add File: b.py\n+b\n*** End Patch"
    session.shell(["apply_patch", patch], workdir=str(shop.folder / "sub"))
    moved = "*** Begin Patch\n*** Update File: ../c.py\n*** Move to: ../d.py\n*** End Patch"
    session.shell(["apply_patch", moved], workdir="sub")
    shop.read(session)
    assert [file.file for file in shop.answer(A).files] == [
        uri_of(shop.folder, "sub", "a.py"),
        uri_of(shop.folder, "sub", "b.py"),
        uri_of(shop.folder, "d.py"),
    ]


READ = "The file as it was read."
UNTOLD = "The read does not tell whether the last line ends."


def test_what_was_read_of_a_file_before_and_after_it_was_patched(shop: Shop) -> None:
    """Nothing is left on disk; what the calls showed is enough."""
    session = shop.session()
    session.prompt("Look at it")
    session.reads("cat app.py", "a\nx\n")
    session.reads("cat other.py", "never patched\n")
    session.prompt("Change it")
    session.patch("*** Update File: app.py", "@@", "-a", "+b")
    session.reads("sed -n '1,200p' app.py", "b\nx\n")
    session.prompt("See what became of it")
    session.reads("nl -ba app.py", "     1\tb\n     2\tmine\n")
    session.patch("*** Update File: app.py", "@@", "-b", "+c")
    shop.read(session)
    same, other = " A later read showed the same.", "which is not as the step before left it."
    unsure = f"From what was recorded, by 1 patch, if nothing else changed it. {UNTOLD}"
    third = "See what became of it"
    assert shop.asked(A) == {
        "app.py": [
            Told(1, "first", "recorded", "Look at it", False, "a\nx\n", READ),
            Told(2, "edited", "forward", "Change it", True, "b\nx\n", f"{FORWARD}{same} {CHANGED}"),
            Told(
                3,
                "edited",
                "recorded",
                third,
                False,
                "b\nmine\n",
                f"The file as it was read, {other} {UNTOLD}",
            ),
            Told(4, "edited", "forward", third, True, "c\nmine\n", f"{unsure} {CHANGED}"),
        ]
    }
    assert [each.obtained for each in shop.answer(A).files[0].versions] == [
        "recorded",
        "forward",
        "recorded",
        "forward",
    ]


@pytest.mark.parametrize(
    ("command", "shown", "code"),
    [
        ("cat app.py | head -n 5", "a\n", 0),
        ("cat app.py", "a\n", 1),
        ("cat app.py", "a\r\n", 0),
        ("cat app.py", "a\n…12 tokens truncated…b\n", 0),
        ("sed -n '1,1p' app.py", "a\n", 0),
        ("cat ../app.py", "a\n", 0),
    ],
)
def test_a_read_that_is_not_certain_tells_nothing(
    shop: Shop, command: str, shown: str, code: int
) -> None:
    session = shop.session()
    session.prompt("Change it")
    session.reads(command, shown, code)
    session.patch("*** Update File: app.py", "@@", "-a", "+b")
    shop.read(session)
    assert [each.obtained for each in shop.asked(A)["app.py"]] == ["unknown", "unknown"]


def test_some_lines_of_a_file_that_something_else_changed(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Write it")
    session.patch("*** Add File: app.py", "+a", "+b", "+c")
    session.reads("sed -n '2,3p' app.py", "b\nc\n")
    session.reads("nl -ba app.py | sed -n '2,3p'", "     2\tb\n     3\tmine\n")
    shop.write("app.py", "a\nb\nmine\n")
    shop.read(session)
    assert shop.asked(A)["app.py"] == [
        Told(1, "created", "recorded", "Write it", True, "a\nb\nc\n", f"{WHOLE} {CHANGED}"),
        Told(2, "edited", "backward", "Write it", False, "a\nb\nmine\n", ON_DISK),
    ]


def test_a_session_that_only_read_a_file_has_no_version_of_it(shop: Shop) -> None:
    first, second = shop.session(A), shop.session(B, minute=30)
    first.prompt("Write it")
    first.patch("*** Add File: app.py", "+a")
    second.prompt("Look at it")
    second.reads("cat app.py", "mine\n")
    second.patch("*** Add File: other.py", "+x")
    shop.read(first, second)
    assert [*shop.asked(B)] == ["other.py"]
    assert [each.content for each in shop.asked(A)["app.py"]] == ["a\n"]


def test_a_file_that_was_read_moved_and_read_again(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Move it")
    session.reads("cat a.py", "a\nx\n")
    session.reads("cat b.py", "gone\n")
    session.patch("*** Update File: a.py", "*** Move to: b.py", "@@", "-a", "+b")
    session.reads("cat b.py", "b\nx\n")
    session.prompt("Write another in its place")
    session.reads("cat a.py", "new\n")
    session.patch("*** Update File: a.py", "@@", "-new", "+newer")
    shop.read(session)
    assert {name: [each.content for each in told] for name, told in shop.asked(A).items()} == {
        "b.py": ["a\nx\n", "b\nx\n"],
        "a.py": ["new\n", "newer\n"],
    }


def test_a_read_beside_a_patch_of_the_same_file_tells_nothing(shop: Shop) -> None:
    """Both were called at once; which one ran first nothing tells."""
    session = shop.session()
    session.prompt("Both")
    session.patch("*** Update File: app.py", "@@", "-a", "+b", output=None)
    session.reads("cat app.py", "x\na\n")
    shop.read(session)
    assert [each.obtained for each in shop.asked(A)["app.py"]] == ["unknown", "unknown"]


def test_two_sessions_that_patched_one_file(shop: Shop) -> None:
    """Each has its own versions; they are rebuilt from the patches of both."""
    first, second = shop.session(A), shop.session(B, minute=30)
    first.prompt("One")
    first.patch("*** Update File: app.py", "@@", "-a", "+b")
    second.prompt("Two")
    second.patch("*** Update File: app.py", "@@", "-b", "+c")
    shop.write("app.py", "c\n")
    shop.read(first, second)
    back = "From the file on disk, by undoing 2 patches, if nothing else changed it."
    one = [
        Told(1, "first", "backward", "One", False, "a\n", back),
        Told(2, "edited", "backward", "One", True, "b\n", BACK),
    ]
    two = [Told(1, "edited", "backward", "Two", True, "c\n", ON_DISK)]
    assert shop.asked(A) == {"app.py": one}
    assert shop.asked(B) == {"app.py": two}
    assert shop.asked(name="app.py") == {"app.py": [*one, *two]}


def test_what_a_subagent_patched_is_its_session_s(shop: Shop) -> None:
    session, agent = shop.session(A), Session(str(shop.folder), B, minute=30, parent=A)
    session.prompt("Let another write it")
    agent.prompt("Write it")
    agent.patch("*** Add File: app.py", "+a")
    shop.write("app.py", "a\n")
    shop.read(session, agent)
    told = [Told(1, "created", "recorded", None, True, "a\n", WHOLE)]
    assert shop.asked(A) == {"app.py": told}
    assert shop.asked(name="app.py") == {"app.py": told}


def test_versions_follow_the_file_on_disk(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Change it")
    session.patch("*** Update File: app.py", "@@", "-a", "+b")
    shop.write("app.py", "b\n")
    shop.read(session)
    documents = [each.document for each in shop.answer(A).files[0].versions]
    assert [shop.content(each or "") for each in documents] == ["a\n", "b\n"]
    shop.write("app.py", "something else\n")
    assert [each.obtained for each in shop.asked(A)["app.py"]] == ["unknown", "unknown"]
    assert [each.kind for each in shop.asked(A)["app.py"]] == ["pruned", "pruned"]
    with pytest.raises(RequestFailed, match="not there any more"):
        shop.content(documents[0] or "")


def test_a_call_without_an_output(shop: Shop) -> None:
    session = shop.session()
    session.prompt("Change it")
    session.patch("*** Update File: app.py", "@@", "-a", "+b", output=None)
    shop.read(session)
    assert [each.note for each in shop.asked(A)["app.py"]][
        -1
    ] == "Nothing tells whether this patch was applied."


@pytest.mark.parametrize("content", [b"\0\xff\xfe", b"caf\xe9\n"])
def test_a_file_that_is_no_text_now(shop: Shop, content: bytes) -> None:
    session = shop.session()
    session.prompt("Write it")
    session.patch("*** Add File: app.py", "+a")
    session.patch("*** Update File: app.py", "@@", "-a", "+b")
    (shop.folder / "app.py").write_bytes(content)
    shop.read(session)
    assert [each.content for each in shop.asked(A)["app.py"]] == ["a\n", "b\n"]


def test_of_too_many_patches_the_newest(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patch_histories, "MOST_STEPS", 100)
    session = shop.session()
    session.prompt("Count")
    session.patch("*** Add File: app.py", "+0")
    for number in range(101):
        session.patch("*** Update File: app.py", "@@", f"-{number}", f"+{number + 1}")
    shop.write("app.py", "101\n")
    shop.read(session)
    [file] = shop.answer(A).files
    assert len(file.versions) == 101
    assert file.versions[0].obtained == "backward"
    assert shop.content(file.versions[0].document or "") == "1\n"
    sentences = [problem.sentence for problem in file.problems]
    assert sentences == [NO_BACKUPS, "Only the newest patches of this file were looked at."]


# --- what a prompt changed, and which files ----------------------------------------------------


class Change(NamedTuple):
    name: str
    kind: str
    before: str | None
    after: str | None
    lines: tuple[int | None, int | None]


def changes(shop: Shop, catalog: Catalog, prompt: str | None) -> tuple[list[Change], list[str]]:
    params = types.CheckpointChangesParams(session_id=A, prompt=prompt)
    answer = checkpoint_changes(catalog, params)
    assert answer.to_now is (prompt is None)

    def content(uri: str) -> str | None:
        if uri.startswith("file:"):
            return Path(path_of(uri)).read_text()
        return shop.content(uri)

    found = [
        Change(
            each.file.rpartition("/")[2],
            each.kind,
            content(each.before),
            content(each.after),
            (each.added, each.removed),
        )
        for each in answer.changes
    ]
    return found, [file.rpartition("/")[2] for file in answer.unknown]


def test_what_a_prompt_and_what_a_session_changed(shop: Shop) -> None:
    session = shop.session()
    session.prompt("One")
    session.patch("*** Add File: a.py", "+a", "*** Update File: lost.py", "@@", "-p", "+q")
    session.prompt("Two")
    session.patch("*** Update File: a.py", "@@", "-a", "+b")
    session.patch("*** Update File: a.py", "@@", "-b", "+c", "*** Delete File: gone.py")
    shop.write("a.py", "c\nmine\n")
    shop.write("lost.py", "other\n")
    catalog = shop.read(session)
    prompts = [each.prompt.uuid for each in shop.answer(A).files[0].versions if each.prompt]
    assert changes(shop, catalog, prompts[0]) == (
        [Change("a.py", "created", "", "a\n", (1, 0))],
        ["lost.py"],
    )
    assert changes(shop, catalog, prompts[-1]) == (
        [Change("a.py", "edited", "a\n", "c\n", (1, 1))],
        ["gone.py"],
    )
    assert changes(shop, catalog, None) == (
        [Change("a.py", "created", "", "c\nmine\n", (2, 0))],
        ["lost.py", "gone.py"],
    )


def test_a_session_is_listed_with_how_many_files_it_patched(shop: Shop) -> None:
    session = shop.session()
    session.prompt("One")
    session.patch("*** Add File: a.py", "+a", "*** Add File: b.py", "+b")
    session.patch("*** Update File: ./a.py", "@@", "-a", "+b")
    session.patch("*** Update File: c.py", "@@", "-a", "+b", output=FAILED)
    catalog = shop.read(session)
    [entry] = catalog.entries()
    counts = catalog.counts(entry)
    assert counts is not None
    assert counts.checkpoint_files == 2


def test_files_with_versions_below_a_folder(shop: Shop) -> None:
    first, second = shop.session(A), shop.session(B, minute=30)
    first.prompt("One")
    first.patch("*** Add File: a.py", "+a", "*** Add File: /elsewhere/b.py", "+b")
    first.patch("*** Update File: a.py", "@@", "-a", "+b")
    second.prompt("Two")
    second.patch("*** Update File: a.py", "@@", "-b", "+c")
    second.patch("*** Update File: failed.py", "@@", "-b", "+c", output=FAILED)
    catalog = shop.read(first, second)
    file = types.CheckpointFile(
        file=uri_of(shop.folder, "a.py"), session_id=B, versions=1, sessions=2
    )
    params = types.CheckpointFilesParams(folder=uri_of(shop.folder))
    assert list(checkpoint_files(catalog, params).files) == [file]
    everywhere = checkpoint_files(catalog, types.CheckpointFilesParams())
    assert [each.file for each in everywhere.files] == [uri_of("/elsewhere/b.py"), file.file]


def test_one_file_that_both_agents_edited(shop: Shop, tmp_path: Path) -> None:
    """Copies and rebuilt versions stand in one history, each against the one before it."""
    home, path = CheckpointHome(tmp_path / "claude"), str(shop.folder / "app.py")
    home.session(KEPT, transcript("u1 a1") + snapshot("u1", {path: backup(path, 1)}))
    home.copy(KEPT, path, 1, "a\nold\n")
    session = shop.session()
    session.prompt("Change it")
    session.patch("*** Update File: app.py", "@@", "-new", "+newer")
    session.put(shop.home)
    shop.write("app.py", "a\nnewer\n")
    catalog = Catalog([home.root], codex_homes=[shop.home])
    while catalog.index_next():
        pass
    params = types.CheckpointsParams(file=uri_of(path))
    [file] = checkpoints(catalog, params).files
    told = [(each.obtained, each.kind, each.added, each.removed) for each in file.versions]
    assert told == [
        ("backup", "first", None, None),
        ("backward", "first", 1, 1),
        ("backward", "edited", 1, 1),
    ]
    assert [each.previous for each in file.versions] == [
        None,
        *(each.document for each in file.versions[:-1]),
    ]


# --- public rollouts ---------------------------------------------------------------------------


@pytest.mark.skipif(not PUBLIC.is_dir(), reason=f"no published sessions at {PUBLIC}")
def test_published_rollouts_whose_patches_were_taken_out() -> None:
    """Patches that cannot be read give no versions, and no session is worse for them."""
    home = PUBLIC / "madshn-localpush-codex" / "codex"
    catalog = catalog_of(home)
    entries = catalog.entries()
    assert len(entries) == 5
    called = 0
    for entry in entries:
        assert entry.main.conversation is not None
        index = entry.main.conversation.index
        called += sum(call.name == "apply_patch" for call in index.tools.all(index.joins))
        answer = checkpoints(catalog, types.CheckpointsParams(session_id=entry.session_id))
        assert (answer.files, answer.sentence) == ([], NO_BACKUPS)
    assert called == 32


@pytest.mark.skipif(not PUBLIC.is_dir(), reason=f"no published sessions at {PUBLIC}")
def test_a_published_patch_that_changes_nothing() -> None:
    line = (PUBLIC / "kenn-io-agentsview" / "codex" / "fc_args_2.jsonl").read_bytes()
    told = [patch_told_in(each) for each in line.splitlines()]
    [patch] = [each.patch for each in told if each is not None]
    assert patch.changes == ()
    assert patch.problem == "Line 3 of the patch: the update changes nothing."


# --- addresses of nothing ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("app.py", "patch=0000000000000000&side=after"),
        ("app.py", "patch=0000000000000000-2&side=before"),
        ("other.py", "patch=0000000000000000&side=after"),
        ("../../etc/passwd", "patch=0000000000000000&side=after"),
    ],
)
def test_an_address_of_no_patch(shop: Shop, path: str, query: str) -> None:
    session = shop.session()
    session.prompt("Write it")
    session.patch("*** Add File: app.py", "+a")
    shop.read(session)
    file = uri_of(shop.folder).partition(":")[2]
    with pytest.raises(RequestFailed, match="not there any more"):
        shop.content(f"forkpoint-version:{file}/{path}?session={A}&{query}")


@pytest.mark.parametrize("path", ["", "app.py", "%00", "//"])
def test_an_address_whose_file_is_none(shop: Shop, path: str) -> None:
    session = shop.session()
    session.prompt("Write it")
    session.patch("*** Add File: app.py", "+a")
    shop.read(session)
    with pytest.raises((InvalidParams, RequestFailed)):
        shop.content(f"forkpoint-version:{path}?session={A}&patch=00&side=after")
