"""What becomes of lines of JSON when something changes: a mutator that knows their shape.

Bytes that are changed blindly are seldom JSON any more. So half of the time a line is lost,
doubled, moved or cut, or a value in it becomes another's, an odd one, or goes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 1.5, 2**31, 2**53 + 1, -(2**63), 2**64, 10**400, 1e308, "", " "),
    *(
        "\0",
        "\n",
        "\ud800",
        "\u202e",
        "é🌱",
        "x" * 300,
        "../..",
        "file:///etc/passwd",
        "null",
        "[]",
    ),
    *([], {}, [[]], {"": {}}, [None], {"type": "text"}, {"type": []}),
    *("1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-02-30T25:61:00Z", "tool_use"),
    "00000000-0000-4000-8000-000000000000",
]

Place = tuple[Any, Any]
"""A list or an object, and an index or a name in it."""


def mutate(data: bytes, most: int, seed: int, blindly: Callable[[bytes, int], bytes]) -> bytes:
    """Return other bytes, at most `most`; `blindly` changes some that need not stay JSON."""
    random = Random(seed)
    if random.random() < 0.5:
        return blindly(data, most)
    lines = data.split(b"\n")
    for _ in range(random.randint(1, 3)):
        _change(lines, random)
    return b"\n".join(lines)[:most]


def _change(lines: list[bytes], random: Random) -> None:
    at, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(9):
        case 0 if len(lines) > 1:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = lines[at][: random.randint(0, len(lines[at]))]
        case 4:
            lines[at] += lines[other]
        case _:
            lines[at] = _with_another_value(lines[at], lines[other], random)


def _with_another_value(line: bytes, donor: bytes, random: Random) -> bytes:
    value = _loaded(line)
    places = list(_places(value))
    if not places:
        return line
    holder, key = random.choice(places)
    given = [there[name] for there, name in _places(_loaded(donor))]
    match random.randrange(4):
        case 0:
            del holder[key]
        case 1 if given:
            holder[key] = random.choice(given)
        case 2 if isinstance(holder, dict):
            holder[random.choice([name for there, name in places if there is holder])] = holder.pop(
                key
            )
        case _:
            holder[key] = random.choice(ODD)
    return _dumped(value)


def _loaded(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _dumped(value: Any) -> bytes:
    try:
        return json.dumps(value, separators=(",", ":")).encode()
    except (ValueError, RecursionError):
        return b"{}"


def _places(value: Any) -> Iterator[Place]:
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        if isinstance(holder, dict | list):
            keys = [*holder] if isinstance(holder, dict) else [*range(len(holder))]
            for key in keys:
                yield holder, key
                waiting.append(holder[key])
