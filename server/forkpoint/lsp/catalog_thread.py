"""The one thread that touches the catalog.

Everything the server knows changes here and only here, so nothing in the core needs a lock. Who
wants to know something puts a question. A text that somebody opens goes before what views ask
beside it, and both before background work, which therefore has to come in small pieces.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from queue import PriorityQueue
from typing import Any, Generic, NamedTuple, TypeVar

C = TypeVar("C")
T = TypeVar("T")


class Urgency(IntEnum):
    """Which question goes first; equal ones in the order they came."""

    READER_WAITS = 1
    CLIENT_WAITS = 2
    BACKGROUND = 3


class _Waiting(NamedTuple):
    """A question, in the order of its fields; `catalog` numbers the one that it is put to."""

    catalog: int
    urgency: Urgency
    arrival: int
    settle: Callable[[], None]


class _Asked(Future[T]):
    """The answer to a question; it can also be told that nobody wants it while it is worked out."""

    def __init__(self) -> None:
        super().__init__()
        self.is_unwanted = False

    def cancel(self) -> bool:
        self.is_unwanted = True
        return super().cancel()


class CatalogThread(Generic[C]):
    """Holds a catalog, and asks it questions one after the other.

    The thread is a daemon: it ends with the process, and a question that takes long does not hold
    that up.
    """

    def __init__(self) -> None:
        self._waiting: PriorityQueue[_Waiting] = PriorityQueue()
        self._arrival = itertools.count()
        self._catalogs = 0
        self._catalog: C | None = None
        self._under_way: _Asked[Any] | None = None
        threading.Thread(target=self._run, name="catalog", daemon=True).start()

    def open(self, open_catalog: Callable[[], C]) -> Future[None]:
        """Put another catalog in the place of the present one, between earlier and later questions.

        When opening fails, the future holds the error and there is no catalog.
        """

        def replace() -> None:
            self._catalog = None
            self._catalog = open_catalog()

        self._catalogs += 1
        return self._put(Urgency.READER_WAITS, replace)

    def ask(self, question: Callable[[C], T], urgency: Urgency = Urgency.CLIENT_WAITS) -> Future[T]:
        """Ask the catalog, and give a future for the answer.

        A question that is cancelled before its turn is never put; one that is under way may look at
        `is_unwanted`. While there is no catalog the answer is `NoCatalog`.
        """

        def put() -> T:
            if self._catalog is None:
                raise NoCatalog
            return question(self._catalog)

        return self._put(urgency, put)

    def client_waits(self) -> bool:
        """Say whether background work should make way. Only the thread itself may rely on it."""
        return bool(self._waiting.queue) and self._waiting.queue[0].urgency < Urgency.BACKGROUND

    def is_unwanted(self) -> bool:
        """Say whether nobody wants the answer to the question under way any more."""
        return self._under_way is not None and self._under_way.is_unwanted

    def _put(self, urgency: Urgency, work: Callable[[], T]) -> Future[T]:
        future: _Asked[T] = _Asked()

        def settle() -> None:
            if not future.set_running_or_notify_cancel():
                return
            self._under_way = future
            try:
                future.set_result(work())
            except Exception as error:
                future.set_exception(error)

        self._waiting.put(_Waiting(self._catalogs, urgency, next(self._arrival), settle))
        return future

    def _run(self) -> None:
        while True:
            self._waiting.get().settle()


class NoCatalog(Exception):
    """There is no catalog: the last attempt to open one failed."""
