"""Where HEAD stands, told by git's own files: made by git itself, and made to mislead."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from forkpoint.git_facts import GitFacts, git_facts, main_checkout
from tests.disk.trees import link, needs_posix

NOTHING = GitFacts(None, None)
COMMIT, OLD = "c" * 40, "0" * 40
SECONDS = 1_790_000_000


def git(folder: Path, *words: str, at: int = SECONDS) -> None:
    """Run git with a clock and an author of its own, whatever the machine is set to."""
    names = {
        f"GIT_{who}_{what}": "dev" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    dates = {f"GIT_{who}_DATE": f"{at} +0200" for who in ("AUTHOR", "COMMITTER")}
    no_settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    environ = {**os.environ, **names, **dates, **no_settings}
    subprocess.run(["git", *words], cwd=folder, env=environ, check=True, capture_output=True)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with one commit on `main`."""
    shop = tmp_path / "shop"
    shop.mkdir()
    git(shop, "init", "-b", "main")
    git(shop, "commit", "--allow-empty", "-m", "begin")
    return shop


def test_a_branch_and_the_last_move(shop: Path) -> None:
    assert git_facts(shop) == GitFacts("main", SECONDS * 1000)
    git(shop, "commit", "--allow-empty", "-m", "next\n\nmore", at=SECONDS + 60)
    git(shop, "switch", "-c", "feature/cart", at=SECONDS + 120)
    (shop / "src" / "deep").mkdir(parents=True)
    assert git_facts(shop / "src" / "deep") == GitFacts("feature/cart", (SECONDS + 120) * 1000)


def test_no_branch_is_called_as_git_calls_it(shop: Path) -> None:
    git(shop, "checkout", "--detach", at=SECONDS + 5)
    assert git_facts(shop) == GitFacts("HEAD", (SECONDS + 5) * 1000)


def test_a_linked_work_tree_has_a_head_of_its_own(shop: Path, tmp_path: Path) -> None:
    git(shop, "worktree", "add", "-b", "fix", "../fix", at=SECONDS + 30)
    assert git_facts(tmp_path / "fix") == GitFacts("fix", (SECONDS + 30) * 1000)
    assert git_facts(shop) == GitFacts("main", SECONDS * 1000)
    assert [main_checkout(tmp_path / "fix"), main_checkout(shop)] == [shop, shop]


def test_a_submodule_is_its_own_checkout(shop: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-b", "trunk")
    git(other, "-c", "protocol.file.allow=always", "submodule", "add", str(shop), "lib")
    assert main_checkout(other / "lib") == other / "lib"
    assert git_facts(other / "lib").branch == "main"


def test_a_bare_repository_has_no_main_checkout(shop: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--bare", str(shop), "bare.git")
    git(tmp_path / "bare.git", "worktree", "add", "-b", "fix", "../fix")
    assert main_checkout(tmp_path / "fix") is None
    assert git_facts(tmp_path / "fix").branch == "fix"


def test_a_file_does_not_lead_to_another_machine(shop: Path, tmp_path: Path) -> None:
    """Two slashes name one on some systems, and are one slash on this."""
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / ".git").write_text(f"gitdir: {shop}/.git")
    assert git_facts(copy).branch == "main"
    (copy / ".git").write_text(f"gitdir: /{shop}/.git")
    assert git_facts(copy) == NOTHING


def test_where_this_process_stands_does_not_matter(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop)
    assert [git_facts(Path(name)) for name in (".", "", "src")] == [NOTHING] * 3


def test_before_the_first_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-b", "main")
    assert git_facts(tmp_path) == GitFacts("main", None)


@pytest.mark.parametrize("directory", ["/nowhere/at/all", "relative", "/a\0b"])
def test_directories_that_are_not_there(directory: str) -> None:
    assert git_facts(Path(directory)) == NOTHING
    assert main_checkout(Path(directory)) is None


def move(seconds: str, why: str = "\tcommit: x") -> str:
    return f"{OLD} {COMMIT} A U Thor <a@b> {seconds} +0000{why}\n"


@pytest.mark.parametrize(
    ("head", "log", "expected"),
    [
        pytest.param("ref: refs/heads/main\n", move("17"), ("main", 17_000), id="usual"),
        pytest.param("ref: refs/heads/a/b", move("17", ""), ("a/b", 17_000), id="no reason"),
        pytest.param("c" * 64, move("17"), ("HEAD", 17_000), id="longer hashes"),
        pytest.param("ref: refs/heads/.invalid\n", "", (None, None), id="a table of refs"),
        pytest.param("ref: refs/tags/v1\n", "", (None, None), id="no branch"),
        pytest.param("ref: refs/heads/a b\n", "", (None, None), id="no name of a branch"),
        pytest.param("", "\n", (None, None), id="empty"),
        pytest.param("nonsense", "nonsense\n", (None, None), id="nonsense"),
        pytest.param("ref: refs/heads/m", move("1" * 13), ("m", None), id="a time too long"),
        pytest.param("ref: refs/heads/m", move("-5"), ("m", None), id="a time below zero"),
        pytest.param(
            "ref: refs/heads/m",
            move("17") + move("18", "\tcommit: <x> 99 +0000\tz"),
            ("m", 18_000),
            id="a reason like a line",
        ),
        pytest.param(
            "ref: refs/heads/m", move("17", "\t" + "x" * 20_000), ("m", None), id="too long"
        ),
        pytest.param(
            "ref: refs/heads/m", move("17") * 10_000 + move("18"), ("m", 18_000), id="a long log"
        ),
    ],
)
def test_files_of_all_kinds(
    tmp_path: Path, head: str, log: str, expected: tuple[str | None, int | None]
) -> None:
    (tmp_path / ".git" / "logs").mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_text(head)
    (tmp_path / ".git" / "logs" / "HEAD").write_text(log)
    assert git_facts(tmp_path) == GitFacts(*expected)


@pytest.mark.parametrize(
    "text",
    ["", "gitdir:", "gitdir: ", "gitdir: /nowhere", "gitdir: a\0b", "gitdir: //host/share", "x: y",
     r"gitdir: \\host\share", "gitdir: " + "a" * 5000],
)  # fmt: skip
def test_files_that_lead_nowhere(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text)
    assert git_facts(tmp_path) == NOTHING


@needs_posix
def test_files_that_would_make_us_wait_or_stray(tmp_path: Path) -> None:
    for name, folder in {"pipe": tmp_path / "pipe", "loop": tmp_path / "loop"}.items():
        (folder / ".git" / "logs").mkdir(parents=True)
        if name == "pipe":
            os.mkfifo(folder / ".git" / "HEAD")
            os.mkfifo(folder / ".git" / "logs" / "HEAD")
        else:
            link(folder / ".git", "HEAD", "HEAD")
            link(folder / ".git" / "logs", "HEAD", "/dev/zero")
    link(tmp_path, "itself/.git", ".git")
    (tmp_path / "piped").mkdir()
    os.mkfifo(tmp_path / "piped" / ".git")
    found = [git_facts(tmp_path / name) for name in ("pipe", "loop", "itself", "piped")]
    assert found == [NOTHING] * 4
