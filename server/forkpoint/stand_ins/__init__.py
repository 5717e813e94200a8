"""What runs in place of libraries with native parts, where those do not load.

That is so where none was built for the machine's system or its Python: the extension carries them
for usual ones only. Of `msgspec`, which decodes what the agents wrote, and of `orjson`, which
writes answers, there are twins in Python, with as much as this package uses of them. Answers are
the same and come later; `tests/properties/test_stand_ins.py` compares them. `watchfiles` has no
twin: without it `watch` looks everywhere once in a while.
"""

from __future__ import annotations

import sys
from importlib import import_module

_TWINS = {
    "msgspec": ("msgspec", "msgspec.json", "msgspec.msgpack", "msgspec.structs"),
    "orjson": ("orjson",),
}


def stand_in() -> tuple[str, ...]:
    """Put twins in the places of libraries that do not load; returns the names of these."""
    missing = tuple(name for name in _TWINS if not loads(name))
    for name in missing:
        for module in _TWINS[name]:
            sys.modules[module] = import_module(f"{__name__}.{module}")
    return missing


def missing_natives() -> tuple[str, ...]:
    """Name the libraries with native parts that this process does without."""
    found = [name for name in _TWINS if sys.modules[name].__name__ != name]
    return (*found, *(() if loads("watchfiles") else ("watchfiles",)))


def loads(name: str) -> bool:
    """Say whether a library is there with all its parts."""
    try:
        import_module(name)
    except ImportError:
        return False
    return True
