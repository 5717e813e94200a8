"""Answers what a client asks first, before pygls is there.

Importing LSP's types takes longer than all else that it takes to show a list. Here `initialize` and
a few questions are answered without them, when they come as every client sends them. Whatever else
comes, and whatever has no answer yet when the server proper is ready, is kept as it came, in order:
the server reads it as if it came then. So nothing is refused here, and nothing is answered twice.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar, cast

from forkpoint.languages import ENGLISH, language_for
from forkpoint.lsp.announced import initialize_result
from forkpoint.lsp.framing import Frames, framed

if TYPE_CHECKING:
    from forkpoint.lsp.indexing import Catalog
    from forkpoint.lsp.opened_catalog import OpenedCatalog

C = TypeVar("C", bound="Catalog")

Message = dict[str, Any]

HARMLESS = (
    "initialized",
    "$/cancelRequest",
    "$/setTrace",
    "textDocument/didOpen",
    "textDocument/didClose",
)
"""Notifications after which the same questions still have the same answers."""

MAY_WAIT = ("forkpoint/", "textDocument/")
"""How requests begin that change nothing: what is asked behind them may be answered before."""


class Taken(NamedTuple):
    """What the server proper goes on from."""

    initialize: Message | None
    """The request that is answered already; None = there was none."""
    unread: bytes
    """Everything behind it that is not answered, as it came."""
    is_end: bool
    """Whether no more comes."""


class Writer(Protocol):
    """Where answers go."""

    def write(self, message: bytes) -> None:
        """Write a whole message."""
        ...


class FirstPhase(Generic[C]):
    """Reads from the beginning of a connection until the server proper is ready.

    Attributes:
        may_pause: set when nothing is left that this phase could answer soon.
    """

    def __init__(
        self,
        output: Writer,
        catalog: OpenedCatalog[C],
        questions: Mapping[str, Callable[[C, Any], object]],
        content_schemes: Sequence[str],
    ) -> None:
        """Begin with nothing read.

        Args:
            output: Where answers go, from several threads.
            catalog: Gets the options of `initialize`, and questions.
            questions: For each method that may be answered here the function that answers it.
                What it raises is left to the server proper to raise again.
            content_schemes: Schemes of the documents whose content the server gives.
        """
        self._output = output
        self._catalog = catalog
        self._questions = questions
        self._content_schemes = content_schemes
        self._frames = Frames()
        self._initialize: Message | None = None
        self._language = ENGLISH
        self._is_over = False
        self._is_end = False
        self._settling = threading.Lock()
        self._unanswered: dict[int, bytes] = {}
        self._arrivals = 0
        self.may_pause = threading.Event()

    def take(self, chunk: bytes) -> None:
        """Act on what came; b"" = no more comes."""
        self._frames.feed(chunk)
        while (frame := self._frames.take()) is not None:
            arrival = self._keep(frame.whole)
            if not self._is_over:
                self._act_on(arrival, _message(frame.body))
        if not chunk:
            self._is_end = True
            self._end()

    def hand_over(self) -> Taken:
        """Answer nothing from now on, and give what is not answered."""
        self._end()
        with self._settling:
            unread = b"".join([*self._unanswered.values(), self._frames.rest()])
            self._unanswered.clear()
        return Taken(self._initialize, unread, self._is_end)

    def _keep(self, whole: bytes) -> int:
        self._arrivals += 1
        with self._settling:
            self._unanswered[self._arrivals] = whole
        return self._arrivals

    def _end(self) -> None:
        self._is_over = True
        self.may_pause.set()

    def _act_on(self, arrival: int, message: Message | None) -> None:
        method = message and message.get("method")
        if message is None or not isinstance(method, str):
            self._end()
        elif self._initialize is None:
            self._begin(arrival, message)
        elif "id" not in message:
            if method not in HARMLESS:
                self._end()
        elif method in self._questions:
            self._ask(arrival, message)
        elif not method.startswith(MAY_WAIT):
            self._end()

    def _begin(self, arrival: int, message: Message) -> None:
        params = message.get("params")
        result = initialize_result(params, self._content_schemes)
        if message["method"] != "initialize" or "id" not in message or result is None:
            self._end()
            return
        self._initialize = message
        self._language = language_for(cast("Message", params).get("locale"))
        self._settle(arrival, _answer(message["id"], json.dumps(result).encode()))
        from forkpoint.lsp.options import Options, options_with

        options, _ = options_with(Options(), cast("Message", params).get("initializationOptions"))
        self._catalog.go_by(options)

    def _ask(self, arrival: int, message: Message) -> None:
        method, request_id = message["method"], message["id"]
        handler = self._questions[method]

        def answer(catalog: C) -> bytes | None:
            from forkpoint.protocol.encode import encode, json_bytes
            from forkpoint.protocol.params import decode_params

            if arrival not in self._unanswered:
                return None
            result = handler(catalog, decode_params(method, message.get("params")))
            return _answer(request_id, json_bytes(self._language.said(encode(result))))

        def settle(asked: Future[bytes | None]) -> None:
            body = None if asked.cancelled() or asked.exception() else asked.result()
            if body is not None:
                self._settle(arrival, body)
            self.may_pause.set()

        self._catalog.thread.ask(answer).add_done_callback(settle)

    def _settle(self, arrival: int, body: bytes) -> None:
        """Answer a message that is not handed over yet."""
        with self._settling:
            if self._unanswered.pop(arrival, None) is not None:
                try:
                    self._output.write(framed(body))
                except (OSError, ValueError):
                    self._is_over = True  # the client reads no more; its end of input comes


def _message(body: bytes) -> Message | None:
    """Decode a request or notification that has nothing odd about it."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    message = cast("Message", value)
    plain = message.keys() <= {"jsonrpc", "id", "method", "params"}
    named = "id" not in message or isinstance(message["id"], str) or type(message["id"]) is int
    return message if plain and named and message.get("jsonrpc") == "2.0" else None


def _answer(request_id: str | int, result: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (json.dumps(request_id).encode(), result)
