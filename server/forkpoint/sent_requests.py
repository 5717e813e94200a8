"""Where the lines lie in which the client keeps the requests that it sent (2.1.300 and later).

They are four fifths of such a file, so nothing but their places is kept.
"""

from __future__ import annotations

from array import array

from forkpoint.records.record import Record
from forkpoint.records.sent import REQUEST, SHAPE


class SentRequests:
    """Ordinals of lines, folded one by one.

    Attributes:
        requests: lines that hold a request as hashes of its messages, in file order.
        shapes: lines that hold the tools and the system prompt which requests name by a hash.
    """

    def __init__(self) -> None:
        self.requests = array("i")
        self.shapes = array("i")

    def apply(self, record: Record, ordinal: int) -> None:
        """Take in one record."""
        if record.type == REQUEST:
            self.requests.append(ordinal)
        elif record.type == SHAPE:
            self.shapes.append(ordinal)
