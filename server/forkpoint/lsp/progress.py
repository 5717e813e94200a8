"""Shows in the editor how far the first reading of all transcripts has come."""

from __future__ import annotations

import uuid
from concurrent.futures import Future
from typing import Any

from lsprotocol import types as lsp
from pygls.protocol import LanguageServerProtocol

from forkpoint.worded import say

TITLE = say("Forkpoint: reading sessions")


class ReadingProgress:
    """One progress bar. It never waits for the client: until it has agreed nothing is shown.

    Attributes:
        token: its name for the client.
    """

    def __init__(self, protocol: LanguageServerProtocol) -> None:
        window = protocol.client_capabilities.window
        self._supported = bool(window and window.work_done_progress)
        self._protocol = protocol
        self.token = str(uuid.uuid4())
        self._agreed: Future[Any] | None = None
        self._begun = False

    def show(self, done: int, total: int) -> None:
        """Say that `done` of `total` transcripts are read."""
        if not self._supported:
            return
        if self._agreed is None:
            params = lsp.WorkDoneProgressCreateParams(token=self.token)
            method = lsp.WINDOW_WORK_DONE_PROGRESS_CREATE
            self._agreed = self._protocol.send_request(method, params)
        elif _succeeded(self._agreed):
            message = say("{done:,} of {total:,}", done=done, total=total)
            self._send(self._value(message, 100 * done // max(total, 1)))

    def end(self) -> None:
        """Take the bar away."""
        if self._begun:
            self._send(lsp.WorkDoneProgressEnd())

    def _value(
        self, message: str, percentage: int
    ) -> lsp.WorkDoneProgressBegin | lsp.WorkDoneProgressReport:
        if self._begun:
            return lsp.WorkDoneProgressReport(message=message, percentage=percentage)
        self._begun = True
        return lsp.WorkDoneProgressBegin(
            title=TITLE, cancellable=True, message=message, percentage=percentage
        )

    def _send(self, value: Any) -> None:
        self._protocol.notify(lsp.PROGRESS, lsp.ProgressParams(token=self.token, value=value))


def _succeeded(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None
