"""Which files does a shell command rename, as far as its text tells?"""

from __future__ import annotations

from collections.abc import Iterator

from forkpoint.shell_words import simple_commands
from forkpoint.shell_writes import LONGEST


def renames_in(command: str) -> Iterator[tuple[str, str]]:
    """Yield what `mv` or `git mv` moves, and whereto: a new path, or a folder.

    Paths are as the command spells them.
    """
    parts = simple_commands(command) if len(command) <= LONGEST else None
    for part in parts or ():
        words = [word for word in part.words if not word.startswith("-")]
        if words[:2] == ["git", "mv"]:
            words = words[1:]
        if words[:1] == ["mv"] and len(words) > 2:
            for moved in words[1:-1]:
                yield moved, words[-1]
