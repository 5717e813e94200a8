"""Sentences in the language of who reads them: `worded` made them, an editor chose the language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from attrs import frozen

from forkpoint.worded import Worded, filled


@frozen(eq=False)
class Language:
    """What English sentences are in a language; without any it is English itself."""

    translations: Mapping[str, str] = {}
    """By the pattern in English, which names its parts in braces."""
    name: str = ""
    """Of its file; '' = English."""

    @property
    def is_english(self) -> bool:
        """Whether sentences stay as they are."""
        return not self.translations

    def said(self, value: Any) -> Any:
        """Say all that was worded in a JSON-ready value; anything else stays as it is."""
        if self.is_english:
            return value
        if isinstance(value, Worded):
            return self._sentence(value)
        if isinstance(value, list):
            return [self.said(each) for each in cast("list[Any]", value)]
        if isinstance(value, dict):
            return {key: self.said(each) for key, each in cast("dict[str, Any]", value).items()}
        return value

    def _sentence(self, worded: Worded) -> str:
        pattern = self.translations.get(worded.pattern, worded.pattern)
        if isinstance(worded.parts, tuple):
            return filled(pattern, tuple(self.said(each) for each in worded.parts))
        return filled(pattern, {name: self.said(each) for name, each in worded.parts.items()})


ENGLISH = Language()

_FILES = {"zh": "zh-cn", "zh-cn": "zh-cn", "zh-hans": "zh-cn", "zh-sg": "zh-cn"}
"""By language tags, as `initialize` carries them in `locale` (BCP 47), in lower case."""


def language_for(locale: object) -> Language:
    """Return the language for a locale such as `zh-cn`; English for any other, and for none."""
    tag = locale.lower().replace("_", "-") if isinstance(locale, str) else ""
    known = next((_FILES[each] for each in (tag, tag[:7]) if each in _FILES), None)
    return ENGLISH if known is None else _translations(known)


@cache
def _translations(name: str) -> Language:
    from importlib.resources import files

    table = files(__name__).joinpath(f"{name}.json").read_bytes()
    return Language(json.loads(table), name)
