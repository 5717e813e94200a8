"""Do two ids name the same model?

A model has one cache of its own, whatever provider's prefix, date or size mark its id carries.
"""

from __future__ import annotations

import re

_FAMILIES = r"opus|sonnet|haiku|fable|mythos"
_MODEL = re.compile(rf"(?:{_FAMILIES})-\d{{1,2}}(?:-\d{{1,2}}(?!\d))?")
_FAMILY = re.compile(_FAMILIES)
_DATE = re.compile(r"[-@]20\d{6}.*$|\[[^\]]*\]$")


def same_model(one: str, other: str) -> bool:
    """Say whether two ids, or an id and an alias such as `opus`, name the same model.

    What an alias stands for depends on the client, so one of the same family counts as the same.
    """
    return _canonical(one) == _canonical(other) or _is_alias(one, other) or _is_alias(other, one)


def _canonical(model: str) -> str:
    found = _MODEL.search(model.lower())
    return found[0] if found else _DATE.sub("", model.lower())


def _is_alias(alias: str, model: str) -> bool:
    name = _DATE.sub("", alias.lower())
    found = _FAMILY.search(model.lower())
    return name == "default" or (found is not None and found[0] == name)
