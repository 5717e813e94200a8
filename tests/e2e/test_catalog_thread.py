"""Questions to the catalog: one at a time, the client's first."""

from __future__ import annotations

import threading
from concurrent.futures import wait

import pytest

from forkpoint.lsp.catalog_thread import CatalogThread, NoCatalog, Urgency


def test_the_clients_questions_go_first_and_cancelled_ones_never():
    thread: CatalogThread[list[str]] = CatalogThread()
    asked: list[str] = []
    opened = threading.Event()
    go_on = threading.Event()

    def open_slowly() -> list[str]:
        opened.set()
        go_on.wait()
        return asked

    thread.open(open_slowly)
    opened.wait()
    assert not thread.client_waits()
    background = thread.ask(lambda c: c.append("background"), Urgency.BACKGROUND)
    assert not thread.client_waits()
    first = thread.ask(lambda c: c.append("first"))
    dropped = thread.ask(lambda c: c.append("dropped"))
    second = thread.ask(lambda c: c.append("second"))
    text = thread.ask(lambda c: c.append("text"), Urgency.READER_WAITS)
    assert thread.client_waits()
    assert dropped.cancel()
    go_on.set()
    wait([background, first, second, text], timeout=10)
    assert asked == ["text", "first", "second", "background"]


def test_no_question_is_put_to_another_catalog_than_the_one_it_came_to():
    thread: CatalogThread[str] = CatalogThread()
    go_on = threading.Event()

    def open_slowly() -> str:
        go_on.wait()
        return "first"

    thread.open(open_slowly)
    late = thread.ask(lambda c: c, Urgency.BACKGROUND)
    usual = thread.ask(lambda c: c)
    thread.open(lambda: "second")
    text = thread.ask(lambda c: c, Urgency.READER_WAITS)
    go_on.set()
    answers = [asked.result(10) for asked in (late, usual, text)]
    assert answers == ["first", "first", "second"]


def test_a_question_that_fails_harms_no_other():
    thread: CatalogThread[int] = CatalogThread()
    with pytest.raises(NoCatalog):
        thread.ask(lambda c: c).result(10)
    thread.open(lambda: 1).result(10)
    with pytest.raises(ZeroDivisionError):
        thread.ask(lambda c: c / 0).result(10)
    assert thread.ask(lambda c: c + 1).result(10) == 2


def test_a_catalog_that_does_not_open_leaves_none():
    thread: CatalogThread[float] = CatalogThread()
    thread.open(lambda: 1.0).result(10)
    with pytest.raises(ZeroDivisionError):
        thread.open(lambda: 1 / 0).result(10)
    with pytest.raises(NoCatalog):
        thread.ask(lambda c: c).result(10)


def test_a_question_under_way_may_learn_that_it_was_taken_back():
    thread: CatalogThread[str] = CatalogThread()
    thread.open(lambda: "catalog")
    begun, cancelled = threading.Event(), threading.Event()
    seen: list[bool] = []

    def looks(_: str) -> None:
        seen.append(thread.is_unwanted())
        begun.set()
        cancelled.wait(10)
        seen.append(thread.is_unwanted())

    asked = thread.ask(looks)
    begun.wait(10)
    assert not asked.cancel()
    cancelled.set()
    asked.result(10)
    assert seen == [False, True]
    assert thread.ask(lambda _: thread.is_unwanted()).result(10) is False
