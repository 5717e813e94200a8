"""How a Python name is spelled on the wire."""

from __future__ import annotations


def camel_case(name: str) -> str:
    """Spell a snake_case name as a JSON key: `cache_write_5m` is `cacheWrite5m`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
