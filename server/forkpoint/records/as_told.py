"""What does a field hold? Another shape than the expected one counts as nothing told."""

from __future__ import annotations

from typing import cast


def fields_of(value: object) -> dict[str, object]:
    """Return the fields of an object, none of anything else."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def list_of(value: object) -> list[object]:
    """Return the members of a list, none of anything else."""
    return cast("list[object]", value) if isinstance(value, list) else []


def text_of(value: object) -> str | None:
    """Return a text, None of anything else."""
    return value if isinstance(value, str) else None
