"""Names of folders and files. The vectors were recorded with Claude Code 2.1.332 on Linux unless
a comment says otherwise."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from forkpoint import layout

SESSION = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
NESTED = "/home/dev/" + "/".join(f"deeply-nested-folder-{n:02}" for n in range(10))
LONG = "/home/dev/p/{}/{}/{}".format("long-folder-name-" * 6, "second-level-" * 6, "third-" * 10)
COMPOSED = "/home/dev/p/\u00e9t"
DECOMPOSED = "/home/dev/p/e\u0301t"

KEYS = {
    "/home/dev/p/my shop": "-home-dev-p-my-shop",
    "/home/dev/p/shop.v2": "-home-dev-p-shop-v2",
    "/home/dev/p/sh_op-x": "-home-dev-p-sh-op-x",
    "/home/dev/p/läden ü": "-home-dev-p-l-den--",
    "/home/dev/p/店": "-home-dev-p--",
    "/home/dev/p/a+b@c,d": "-home-dev-p-a-b-c-d",
    "/home/dev/p/UPPER": "-home-dev-p-UPPER",
    "/home/dev/p/emoji🙂x": "-home-dev-p-emoji--x",
    COMPOSED: "-home-dev-p--t",
    DECOMPOSED: "-home-dev-p-e-t",
    "/home/dev/p/" + "é" * 120: "-home-dev-p-" + "-" * 120,
    "/home/dev/p/" + "x" * 180: "-home-dev-p-" + "x" * 180,
    "/home/dev/p/" + "x" * 188: "-home-dev-p-" + "x" * 188,
    "/home/dev/p/" + "x" * 190: "-home-dev-p-" + "x" * 188 + "-uy261m",
    "/home/dev/" + "x" * 191: "-home-dev-" + "x" * 190 + "-mf0zgj",
    "/home/dev/" + "/".join(["deeply-nested-directory"] * 12): (
        ("-home-dev-" + "-".join(["deeply-nested-directory"] * 12))[:200] + "-e8rct8"
    ),
    LONG: ("-home-dev-p-" + "long-folder-name-" * 6 + "-" + "second-level-" * 6 + "-third--qpe0wa"),
    NESTED: NESTED.replace("/", "-")[:200] + "-c9jk6r",
    # From reports of Windows users.
    "C:\\Users\\dev\\my_app": "C--Users-dev-my-app",
    "c:\\Users\\dev\\shop": "c--Users-dev-shop",
    "\\\\srv\\share\\a b": "--srv-share-a-b",
    "\\\\wsl.localhost\\Ubuntu\\home\\dev\\app": "--wsl-localhost-Ubuntu-home-dev-app",
    "Z:\\home\\dev\\app": "Z--home-dev-app",
    # A name that is no text (one byte 0xFF, as Python hands it over) is one unit.
    "/home/dev/\udcff": "-home-dev--",
}


@pytest.mark.parametrize(("cwd", "key"), KEYS.items())
def test_project_key(cwd: str, key: str) -> None:
    assert layout.project_key(cwd) == key


@pytest.mark.parametrize(
    ("cwd", "keys"),
    [
        ("/home/dev/p/UPPER", ("-home-dev-p-UPPER",)),
        (COMPOSED, ("-home-dev-p--t",)),
        (DECOMPOSED, ("-home-dev-p-e-t", "-home-dev-p--t")),
    ],
)
def test_a_decomposed_path_has_the_older_clients_key_too(cwd: str, keys: tuple[str, ...]) -> None:
    assert layout.project_keys(cwd) == keys


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("-home-dev-shop", "-home-dev-shop", True),
        ("-home-dev-shop", "-home-dev-Shop", False),
        ("C--Users-dev-shop", "c--Users-dev-shop", True),
        ("C--Users-dev-shop", "c--users-DEV-shop", True),
        ("C--Users-dev-shop", "D--Users-dev-shop", False),
        ("--srv-share-a", "--srv-Share-a", False),
        ("--wsl-localhost-Ubuntu-home-dev-app", "Z--home-dev-app", False),
        ("-" + "x" * 199 + "-c9jk6r", "-" + "x" * 199 + "-1x9k2m3p", False),
    ],
)
def test_same_key(a: str, b: str, same: bool) -> None:
    assert layout.same_key(a, b) is same
    assert layout.same_key(b, a) is same


@pytest.mark.parametrize(
    ("name", "session_id"),
    [
        (f"{SESSION}.jsonl", SESSION),
        (f"{SESSION.upper()}.jsonl", SESSION.upper()),
        (f"{SESSION}.jsonl\n", None),
        (f"{SESSION}.jsonl.bak", None),
        (f"{SESSION}.json", None),
        (f"x{SESSION}.jsonl", None),
        (f"{SESSION.replace('-', '')}.jsonl", None),
        ("agent-a1b2c3d.jsonl", None),
        ("sessions-index.json", None),
    ],
)
def test_only_a_uuid_names_a_session(name: str, session_id: str | None) -> None:
    assert layout.session_id_of(name) == session_id


@pytest.mark.parametrize(
    ("text", "is_id"),
    [
        (SESSION, True),
        (SESSION.upper(), True),
        (f"{SESSION}.jsonl", False),
        (f"{SESSION}\n", False),
        ("memory", False),
    ],
)
def test_is_session_id(text: str, is_id: bool) -> None:
    assert layout.is_session_id(text) is is_id


@pytest.mark.parametrize(
    ("name", "agent_id"),
    [
        ("agent-ae2d9a0c0318eb3d8.jsonl", "ae2d9a0c0318eb3d8"),
        ("agent-a1b2c3d.jsonl", "a1b2c3d"),
        ("agent-acompact-0f0f0f.jsonl", "acompact-0f0f0f"),
        ("agent-.jsonl", None),
        ("agent-a1b2c3d.meta.json", None),
        ("agent-../x.jsonl", None),
        ("agent-..\\x.jsonl", None),
        ("journal.jsonl", None),
        (f"{SESSION}.jsonl", None),
    ],
)
def test_agent_id_of(name: str, agent_id: str | None) -> None:
    assert layout.agent_id_of(name) == agent_id


def test_agent_meta_name() -> None:
    assert layout.agent_meta_name("a1b2c3d") == "agent-a1b2c3d.meta.json"


@pytest.mark.parametrize(
    ("path", "version", "name"),
    [
        ("/home/dev/app/a.py", 1, "20fa6108ee283ee3@v1"),
        ("C:\\Users\\dev\\app\\a.py", 12, "e28e58c26ea6d32b@v12"),
    ],
)
def test_backup_names_hash_the_absolute_path(path: str, version: int, name: str) -> None:
    assert layout.backup_name(path, version) == name
    assert layout.parse_backup_name(name) == (name[:16], version)


def test_a_path_that_is_no_text_has_a_backup_name() -> None:
    replaced = layout.backup_name("/home/dev/\ufffd", 1)
    assert layout.backup_name("/home/dev/\ud800", 1) == replaced


@pytest.mark.parametrize(
    "name",
    [
        "",
        "20fa6108ee283ee3",
        "20fa6108ee283ee3@v",
        "20fa6108ee283ee3@v0",
        "20fa6108ee283ee3@v01",
        "20fa6108ee283ee3@v-1",
        "20fa6108ee283ee3@v1\n",
        "20fa6108ee283ee3@v1.bak",
        "20fa6108ee283ee3@v\u0661",
        "20FA6108EE283EE3@v1",
        "20fa6108ee283ee@v1",
        "../20fa6108ee283ee3@v1",
        "/etc/hostname",
        "..\\..\\secret.txt",
        "20fa6108ee283ee3@v" + "9" * 5000,
    ],
)
def test_other_backup_names_are_refused(name: str) -> None:
    assert layout.parse_backup_name(name) is None


SHOP, WINDOWS_SHOP, SHARE = "/home/dev/shop", "C:\\Users\\dev\\shop", "\\\\srv\\share\\shop"


@pytest.mark.parametrize(
    ("path", "is_absolute", "is_windows"),
    [
        ("/home/dev/a.py", True, False),
        ("a.py", False, False),
        ("./a.py", False, False),
        ("", False, False),
        ("C:\\shop\\a.py", True, True),
        ("c:/shop/a.py", True, True),
        ("C:a.py", False, False),
        ("\\\\srv\\share\\a.py", True, True),
        ("\\a.py", False, False),
        ("//srv/share/a.py", True, False),
    ],
)
def test_absolute_paths(path: str, is_absolute: bool, is_windows: bool) -> None:
    assert layout.is_absolute(path) is is_absolute
    assert layout.is_windows_path(path) is is_windows


@pytest.mark.parametrize(
    ("key", "start", "path"),
    [
        ("cart.py", SHOP, f"{SHOP}/cart.py"),
        ("src/cart.py", SHOP, f"{SHOP}/src/cart.py"),
        ("./src//../cart.py", f"{SHOP}/", f"{SHOP}/cart.py"),
        ("../other/a.py", SHOP, "/home/dev/other/a.py"),
        ("../../../../a.py", SHOP, "/a.py"),
        ("/etc/hosts", SHOP, "/etc/hosts"),
        ("/etc/./x/../hosts", None, "/etc/hosts"),
        ("a b\\c.py", SHOP, f"{SHOP}/a b\\c.py"),
        ("cart.py", None, "cart.py"),
        ("cart.py", "", "cart.py"),
        ("src\\cart.py", WINDOWS_SHOP, f"{WINDOWS_SHOP}\\src\\cart.py"),
        ("src/cart.py", WINDOWS_SHOP, f"{WINDOWS_SHOP}\\src\\cart.py"),
        ("..\\a.py", WINDOWS_SHOP, "C:\\Users\\dev\\a.py"),
        ("D:/x/../a.py", WINDOWS_SHOP, "D:\\a.py"),
        ("C:\\Users\\dev\\a.py", SHOP, "C:\\Users\\dev\\a.py"),
        ("src\\a.py", SHARE, f"{SHARE}\\src\\a.py"),
    ],
)
def test_tracked_files_are_absolute(key: str, start: str | None, path: str) -> None:
    assert layout.tracked_file(key, start) == path


@pytest.mark.parametrize(
    ("path", "folder", "is_below"),
    [
        (f"{SHOP}/a.py", SHOP, True),
        (f"{SHOP}/src/a.py", f"{SHOP}/", True),
        (SHOP, SHOP, False),
        (f"{SHOP}2/a.py", SHOP, False),
        (f"{SHOP}/../a.py", SHOP, False),
        (f"{SHOP}/A.py", "/HOME/dev/shop", False),
        ("/etc/hosts", "/", True),
        (f"{WINDOWS_SHOP}\\a.py", WINDOWS_SHOP, True),
        ("c:/users/DEV/shop/a.py", WINDOWS_SHOP, True),
        ("C:\\Users\\dev\\a.py", WINDOWS_SHOP, False),
        ("D:\\Users\\dev\\shop\\a.py", WINDOWS_SHOP, False),
        ("C:\\a.py", "C:\\", True),
        (f"{SHARE}\\a.py", SHARE, True),
    ],
)
def test_below(path: str, folder: str, is_below: bool) -> None:
    assert layout.below(path, folder) is is_below


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (f"{SHOP}/a.py", f"{SHOP}/./src/../a.py", True),
        (f"{SHOP}/a.py", f"{SHOP}/A.py", False),
        ("C:\\shop\\a.py", "c:/Shop/A.PY", True),
        ("C:\\shop\\a.py", "D:\\shop\\a.py", False),
        (f"{SHARE}\\a.py", "//srv/share/shop/a.py", False),
        (f"{SHARE}\\a.py", "\\\\SRV\\share\\shop\\a.py", True),
    ],
)
def test_one_key_for_all_spellings(one: str, other: str, same: bool) -> None:
    assert (layout.path_key(one) == layout.path_key(other)) is same


@pytest.mark.parametrize(
    ("path", "folder", "name"),
    [
        (f"{SHOP}/a.py", SHOP, "a.py"),
        ("/a.py", "/", "a.py"),
        (f"{SHOP}/a\\b.py", SHOP, "a\\b.py"),
        (f"{WINDOWS_SHOP}\\a.py", WINDOWS_SHOP, "a.py"),
        ("C:\\a.py", "C:\\", "a.py"),
        (f"{SHARE}\\a.py", SHARE, "a.py"),
    ],
)
def test_a_path_is_a_folder_and_a_name(path: str, folder: str, name: str) -> None:
    assert (layout.parent_of(path), layout.last_part(path)) == (folder, name)
    assert layout.joined(folder, name) == path


@pytest.mark.parametrize(
    ("environ", "claude"),
    [
        ({}, ".claude"),
        ({"CLAUDE_CONFIG_DIR": ""}, ".claude"),
        ({"CLAUDE_CONFIG_DIR": "/etc/claude"}, "/etc/claude"),
    ],
)
def test_default_roots(environ: dict[str, str], claude: str) -> None:
    home = PurePath("/home/dev")
    assert layout.config_dirs(environ, str(home)) == (str(home / claude),)
