"""After how many days does the client delete transcripts, and which setting says so?

Its clean-up goes by the time of the file and runs when the client is started. It takes the number
from all settings together, and sweeps the whole config folder: so what a project's own settings
say counts for the sessions of all projects once the client is started there. As that is a matter
of the next start, dates go by the organisation's and the user's settings, and a project that says
less is told of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from forkpoint.layout import SETTINGS
from forkpoint.settings_files import MANAGED, organisation_files, project_files, read_fields

DEFAULT_DAYS = 30
"""The documented default of the client's own clean-up, by the age of the file."""
DAY_MS = 86_400_000
MOST_PROJECTS = 100
"""Projects whose settings are looked at, those with the newest sessions first."""

Source: TypeAlias = Literal["default", "user", "project", "managed"]


class Retention(NamedTuple):
    """How long transcripts are kept.

    Attributes:
        days: None if they are never deleted.
        source: whose settings say so; `default` = nobody's.
        file: the settings file.
    """

    days: int | None
    source: Source
    file: str | None

    def ends(self, modified_ms: float) -> float | None:
        """Return when a file of that time may be deleted (ms since 1970); None = never."""
        return None if self.days is None else modified_ms + self.days * DAY_MS


FOR_EVER = Retention(None, "default", None)


class _Settings(msgspec.Struct):
    cleanupPeriodDays: int | None = None


def retention_of(root: Path, managed: str = MANAGED) -> Retention:
    """Return how long transcripts below a config folder are kept; see the module.

    Args:
        root: the config folder.
        managed: the folder of an organisation's settings.
    """
    return (
        _first(organisation_files(managed), "managed")
        or _first([str(root / SETTINGS[0])], "user")
        or Retention(DEFAULT_DAYS, "default", None)
    )


def shorter_in_projects(
    directories: Iterable[str], usual: Retention, home: Path
) -> Iterator[tuple[str, Retention]]:
    """Yield directories whose project has more deleted than usual, and what it says, once each.

    Args:
        directories: where sessions were started; the first `MOST_PROJECTS` are looked at.
        usual: what the user's or the organisation's settings say; the latter win over projects'.
        home: the user's home folder.
    """
    if usual.source == "managed":
        return
    met: set[str] = set()
    for cwd, _ in zip(directories, range(MOST_PROJECTS), strict=False):
        said = _first(project_files(cwd, home), "project")
        if said is None or said.days is None or said.file is None or said.file in met:
            continue
        met.add(said.file)
        if usual.days is None or said.days < usual.days:
            yield cwd, said


def _first(files: Iterable[str], source: Source) -> Retention | None:
    for file in files:
        days = read_fields(file, _Settings).cleanupPeriodDays
        if days is not None and days >= 0:
            return Retention(days if days < _NEVER else None, source, file)
    return None


_NEVER = 36_500
"""People switch the clean-up off with a huge number; a date far away tells nobody anything."""
