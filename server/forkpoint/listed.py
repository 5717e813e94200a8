"""What the session list shows of one session, as bytes and back.

Kept over restarts, so that the list is whole before any transcript was read again.
"""

from __future__ import annotations

import msgspec

from forkpoint.counts import Counts
from forkpoint.lineage import Origin
from forkpoint.records.record import PullRequest
from forkpoint.summary import Summary

FileState = tuple[str, int, int, int]
"""Path, size, time of change (ns) and inode of a transcript."""


class Basis(msgspec.Struct, frozen=True, array_like=True):
    """What the facts were worked out of: while it is the same, so are they.

    Attributes:
        transcripts: the session's own first, then its subagents'.
        origin: the transcript of the session it was copied from.
        rules: since which client version the rules hold that were gone by.
        prices: a fingerprint of the user's own prices.
    """

    transcripts: tuple[FileState, ...]
    origin: FileState | None
    rules: str
    prices: int


class Listed:
    """The facts.

    Attributes:
        summary: without the prompts, which a list does not show.
        own_summary: the last summary text that is about a row of this session.
    """

    def __init__(
        self,
        basis: Basis,
        summary: Summary,
        counts: Counts | msgspec.Raw,
        origin: Origin | None,
        own_summary: str | None,
    ) -> None:
        """Take the facts; counts as bytes that are known to be some are decoded when asked for."""
        self.basis = basis
        self.summary = summary
        self.origin = origin
        self.own_summary = own_summary
        self._counts = counts

    @property
    def counts(self) -> Counts:
        """The session's numbers."""
        if isinstance(self._counts, msgspec.Raw):
            self._counts = _COUNTS.decode(self._counts)
        return self._counts


class NotListed(Exception):
    """These bytes are no facts of this form."""


class _Summary(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """Those attributes of a `Summary` that are kept, by their names."""

    custom_title: str | None
    ai_title: str | None
    tag: str | None
    agent_name: str | None
    first_prompt: str | None
    last_prompt: str | None
    first_command: str | None
    first_cwd: str | None
    last_cwd: str | None
    relocated: str | None
    git_branch: str | None
    version: str | None
    first_version: str | None
    entrypoint: str | None
    created: str | None
    updated: str | None
    forked_from: str | None
    pull_requests: list[PullRequest]
    foreign_sessions: set[str]
    talk: bool


class _Kept(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    basis: Basis
    summary: _Summary
    counts: msgspec.Raw
    origin: Origin | None
    own_summary: str | None


def dump_listed(listed: Listed) -> bytes:
    """Return the facts as bytes.

    Raises:
        NotListed: a text or number has no form in them.
    """
    names = _Summary.__struct_fields__
    summary = _Summary(*[getattr(listed.summary, name) for name in names])
    try:
        counts = msgspec.Raw(_ENCODER.encode(listed.counts))
        kept = _Kept(listed.basis, summary, counts, listed.origin, listed.own_summary)
        return _ENCODER.encode(kept)
    except (UnicodeError, OverflowError) as failure:
        raise NotListed(str(failure)) from failure


def load_listed(data: bytes) -> Listed:
    """Return what `dump_listed` was given.

    Raises:
        NotListed: anything else than its whole result.

    Counts are not looked into here: the store's checksum says that they are as they were written.
    """
    try:
        kept = _DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeError) as failure:
        raise NotListed(str(failure)) from failure
    summary = Summary()
    vars(summary).update(msgspec.structs.asdict(kept.summary))
    return Listed(kept.basis, summary, kept.counts, kept.origin, kept.own_summary)


_ENCODER = msgspec.msgpack.Encoder()
_COUNTS = msgspec.msgpack.Decoder(Counts)
_DECODER = msgspec.msgpack.Decoder(_Kept)
