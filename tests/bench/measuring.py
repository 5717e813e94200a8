"""CPU seconds, wall seconds and memory of a piece of work, and what the machine was doing.

CPU seconds count, since other work on the machine hardly changes them. What is compared is measured
in turn, so that what slows one side slows the other.
"""

from __future__ import annotations

import gc
import os
import platform
import resource
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Spent(NamedTuple):
    """What work cost, in seconds; `cpu` with that of child processes that ended meanwhile."""

    cpu: float
    wall: float


class Memory(NamedTuple):
    """Of this process, in bytes: resident now, and the most that ever was."""

    resident: int
    peak: int


def timed(work: Callable[[], T]) -> tuple[T, Spent]:
    """Do some work; the garbage of what went before is not its own."""
    gc.collect()
    began, cpu = time.perf_counter(), _cpu()
    value = work()
    spent = Spent(_cpu() - cpu, time.perf_counter() - began)
    return value, spent


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def memory() -> Memory:
    """Ask the kernel. `ru_maxrss` would begin with what the parent process had."""
    lines = Path("/proc/self/status").read_text().splitlines()
    facts = dict(line.split(":", 1) for line in lines)
    kibibytes = [int(facts[name].split()[0]) for name in ("VmRSS", "VmHWM")]
    return Memory(kibibytes[0] * 1024, kibibytes[1] * 1024)


def in_turn(rounds: int, *works: Callable[[], float]) -> list[list[float]]:
    """Measure each work once per round; one more round comes first and does not count."""
    for work in works:
        work()
    found = [[work() for work in works] for _ in range(rounds)]
    return [list(column) for column in zip(*found, strict=True)]


def ratio(above: Iterable[float], below: Iterable[float]) -> float:
    """The median of the ratios of the rounds."""
    return median(one / other for one, other in zip(above, below, strict=True))


def machine() -> str:
    """Say in a line on what, and beside how much other work, this was measured."""
    load = " ".join(f"{number:.2f}" for number in os.getloadavg())
    return f"load {load} on {os.cpu_count()} cores, Python {platform.python_version()}"
