"""What becomes of one file, and of all together, in every state of the disk and of the copy.

The words are those of a report: what is recorded, what lies there, what is left of the copy. What
the client itself did in such situations is in fixtures/rewinds.
"""

from __future__ import annotations

from itertools import product

import msgspec
import pytest

from forkpoint.checkpoints import Version
from forkpoint.rewind import Kept, OnDisk, Outcome, is_refused, outcome, together

HERE = "/home/dev/shop"

VERSIONS: dict[str, Version | None] = {
    "nothing known": None,
    "unknown": Version(2, None, False, True, False, None, None, None),
    "copied": Version(2, "0123456789abcdef@v2", False, False, False, None, None, None),
    "absent": Version(2, None, True, False, False, None, None, None),
}
NOTHING = OnDisk("nothing", False, HERE, can_write=True, can_delete=False)
FILE = OnDisk("file", False, HERE, can_write=True, can_delete=True)
DISKS: dict[str, OnDisk] = {
    "nothing": NOTHING,
    "nothing, closed": NOTHING._replace(can_write=False),
    "dangling": NOTHING._replace(kind="dangling"),
    "file": FILE,
    "file, read-only": FILE._replace(can_write=False),
    "file, kept": FILE._replace(can_delete=False),
    "hard link": FILE._replace(is_hard_linked=True),
    "link": FILE._replace(kind="link"),
    "other": FILE._replace(kind="other"),
}
COPIES: dict[str, Kept] = {
    "same": Kept("present", is_same=True),
    "other": Kept("present", is_same=False),
    "gone": Kept("gone", is_same=False),
    "unreadable": Kept("unreadable", is_same=False),
    "no file": Kept("notRegular", is_same=False),
}


def words(found: Outcome) -> str:
    return " ".join(word for word in found if word)


COPIED = {
    # In the order of COPIES.
    "nothing": "create, create, skip pruned write, skip unreadable write, skip notRegular",
    "nothing, closed": "skip notWritable write, skip notWritable write, skip pruned write, "
    "skip unreadable write, skip notRegular",
    "dangling": "skip symlink, skip symlink, skip pruned write, skip unreadable write, "
    "skip notRegular",
    "file": "unchanged, overwrite, skip pruned write, skip unreadable write, skip notRegular",
    "file, read-only": "skip notWritable write, skip notWritable write, skip pruned write, "
    "skip unreadable write, skip notRegular",
    "file, kept": "unchanged, overwrite, skip pruned write, skip unreadable write, skip notRegular",
    "hard link": "skip hardLink, " * 4 + "skip hardLink",
    "link": "skip symlink, " * 4 + "skip symlink",
    "other": "skip notRegular, " * 4 + "skip notRegular",
}
ABSENT = {
    "nothing": "unchanged",
    "nothing, closed": "unchanged",
    "dangling": "unchanged",
    "file": "delete",
    "file, read-only": "delete",
    "file, kept": "skip notWritable delete",
    "hard link": "skip hardLink",
    "link": "skip symlink",
    "other": "skip notRegular",
}


@pytest.mark.parametrize("place", DISKS)
def test_a_copy_is_put_back(place: str) -> None:
    found = [outcome(VERSIONS["copied"], DISKS[place], kept) for kept in COPIES.values()]
    assert ", ".join(map(words, found)) == COPIED[place]


@pytest.mark.parametrize(("place", "kept"), list(product(DISKS, COPIES.values())))
def test_what_did_not_exist_is_deleted(place: str, kept: Kept) -> None:
    assert words(outcome(VERSIONS["absent"], DISKS[place], kept)) == ABSENT[place]


@pytest.mark.parametrize("version", ["nothing known", "unknown"])
@pytest.mark.parametrize(("on_disk", "kept"), list(product(DISKS.values(), COPIES.values())))
def test_what_is_not_known_is_left_alone(version: str, on_disk: OnDisk, kept: Kept) -> None:
    assert outcome(VERSIONS[version], on_disk, kept) == Outcome("unchanged")


@pytest.mark.parametrize(
    ("real_parent", "place", "expected"),
    [
        (None, "file", "overwrite"),
        (HERE, "file", "overwrite"),
        ("/elsewhere", "file", "skip parentMoved"),
        ("/elsewhere", "nothing", "skip parentMoved"),
        ("/elsewhere", "hard link", "skip parentMoved"),
        ("/elsewhere", "link", "skip symlink"),
        ("/elsewhere", "other", "skip notRegular"),
        # Written as null, which no folder is.
        ("", "file", "skip parentMoved"),
    ],
)
@pytest.mark.parametrize("version", ["copied", "absent"])
def test_a_folder_has_to_lie_where_it_lay(
    version: str, real_parent: str | None, place: str, expected: str
) -> None:
    recorded = VERSIONS[version]
    assert recorded is not None
    moved = msgspec.structs.replace(recorded, real_parent=real_parent)
    found = words(outcome(moved, DISKS[place], COPIES["other"]))
    assert found == (expected if version == "copied" else expected.replace("overwrite", "delete"))


# --- together ----------------------------------------------------------------------------------


def outcomes(text: str) -> list[Outcome]:
    """Outcomes from words: an action, a reason behind `:`, a failure behind `!`."""
    found: list[Outcome] = []
    for word in text.split():
        rest, _, failed = word.partition("!")
        action, _, reason = rest.partition(":")
        found.append(Outcome(action, reason or None, failed or None))  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(
    ("each", "all_of_them"),
    [
        ("", ""),
        ("overwrite delete create unchanged", "overwrite delete create unchanged"),
        ("skip:symlink delete", "skip:symlink delete"),
        ("skip:notRegular delete", "skip:notRegular delete"),
        # Deleting comes behind writing, and not at all if a write failed.
        ("delete skip:pruned!write", "skip:keptBack skip:pruned!write"),
        (
            "overwrite delete skip:unreadable!write unchanged",
            "overwrite skip:keptBack skip:unreadable!write unchanged",
        ),
        (
            "skip:notWritable!delete skip:notWritable!write",
            "skip:keptBack skip:notWritable!write",
        ),
        ("delete skip:notWritable!delete", "delete skip:notWritable!delete"),
    ],
)
def test_a_write_that_fails_keeps_files(each: str, all_of_them: str) -> None:
    assert together(outcomes(each)) == outcomes(all_of_them)


@pytest.mark.parametrize(
    ("text", "modes_change", "refused"),
    [
        ("", False, False),
        ("unchanged skip:symlink", False, False),
        ("overwrite delete", False, False),
        ("skip:pruned!write", False, True),
        ("skip:pruned!write unchanged skip:keptBack skip:symlink", False, True),
        ("skip:notWritable!delete", False, True),
        ("skip:pruned!write overwrite", False, False),
        ("skip:pruned!write create", False, False),
        ("skip:notWritable!delete delete", False, False),
        # New permissions of an unchanged file count as a restore.
        ("skip:pruned!write unchanged", True, False),
    ],
)
def test_a_restore_of_nothing_is_an_error_if_something_failed(
    text: str, modes_change: bool, refused: bool
) -> None:
    assert is_refused(outcomes(text), modes_change) is refused
