"""States of files as words, for the tests of checkpoints.

A state is written `cart.py@2`, with `-` behind it where the file did not exist, `@?` where nothing
is known and `!` where the copy has a name that must not be opened. Paths are relative to the
directory of the session.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from forkpoint.checkpoints import Version
from forkpoint.session import Conversation
from tests.builders import CWD, index_of, name_of


def conversation(data: bytes) -> Conversation:
    return Conversation(index_of(data))


def word(path: str, version: Version | None) -> str:
    path = path.removeprefix(f"{CWD}/")
    if version is None or version.is_unknown:
        return f"{path}@?"
    mark = "-" if version.is_absent else "" if version.backup else "!"
    return f"{path}@{version.number}{mark}"


def words(state: Mapping[str, Version | None] | None) -> str | None:
    return None if state is None else " ".join(word(path, each) for path, each in state.items())


def by_prompt(versions: Iterable[Version]) -> str:
    """Numbers of versions, each with the prompt that it is the state before."""
    return " ".join(
        f"{name_of(each.prompt) if each.prompt else 'nobody'}:{word('', each).lstrip('@')}"
        for each in versions
    )
