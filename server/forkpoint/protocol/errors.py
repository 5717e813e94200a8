"""The two ways a question is refused. Both become an answer on the wire, never silence."""

from __future__ import annotations

from typing import Literal

FailureKind = Literal["unknownSession", "unknownRecord", "unknownFile", "unreadable", "notIndexed"]


class InvalidParams(Exception):
    """The parameters do not fit the method: JSON-RPC error -32602.

    Attributes:
        sentence: What is wrong, naming the parameter as it is spelled on the wire.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class RequestFailed(Exception):
    """What was asked for is not there: error -32001 with `data {kind}`.

    Attributes:
        kind: The reason as clients tell reasons apart.
        sentence: The reason in words. It names no path that the caller did not name.
    """

    def __init__(self, kind: FailureKind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind: FailureKind = kind
        self.sentence = sentence
