"""What of a Markdown text could act, since it does not stand in code?"""

from __future__ import annotations


def acting(markdown: str) -> str:
    """What of a hover stands outside of code, less our own words."""
    outside: list[str] = []
    fence = ""
    for shown in markdown.splitlines():
        ticks = shown[: len(shown) - len(shown.lstrip("`"))]
        if fence:
            fence = "" if shown == fence else fence
        elif len(ticks) > 2:
            fence = ticks
        else:
            outside.append(without_code(shown))
    return "".join(mark for mark in "[]()<>!\\:/" if mark in "".join(outside).replace(": ", ""))


def without_code(shown: str) -> str:
    """A line less its code span: as many ticks close it as opened it."""
    start = shown.find("`")
    if start < 0:
        return shown
    inside = shown[start:].lstrip("`")
    ticks = "`" * (len(shown) - start - len(inside))
    close = inside.find(ticks)
    while inside[close + len(ticks) : close + len(ticks) + 1] == "`":
        close = inside.find(ticks, close + len(ticks) + 1)
    assert close >= 0, shown
    return shown[:start] + inside[close + len(ticks) :]
