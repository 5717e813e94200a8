"""Where the lines lie that tell how the client was set; what they say is read when asked for."""

from __future__ import annotations

from forkpoint.records.record import Kind, Record
from forkpoint.records.work_lines import ATTACHMENTS, SETTINGS


class StateLines:
    """Places of lines, folded one by one.

    Attributes:
        last: type of a state line -> ordinal of the last one, which counts.
        notes: type of an attachment -> its nodes, in file order; which of them count is a question
            of the active path.
    """

    def __init__(self) -> None:
        self.last: dict[str, int] = {}
        self.notes: dict[str, list[int]] = {}

    def apply(self, record: Record, ordinal: int, node: int) -> None:
        """Take in one record.

        Args:
            record: the record.
            ordinal: where it stands.
            node: its ordinal, a repeat's first.
        """
        if record.kind is Kind.STATE:
            if record.type in SETTINGS:
                self.last[record.type] = ordinal
        elif record.kind is Kind.ATTACHMENT and record.subtype in ATTACHMENTS and node == ordinal:
            self.notes.setdefault(record.subtype, []).append(node)
