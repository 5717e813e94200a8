"""What the server tells without being asked."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen


@frozen(kw_only=True)
class DidChangeCatalogParams:
    """Which rows of the session list are no longer what they were. Changes come together."""

    added: Sequence[str]
    """Ids of new sessions."""
    changed: Sequence[str]
    """Ids of sessions whose summary changed."""
    removed: Sequence[str]
    """Ids of sessions that are gone."""
