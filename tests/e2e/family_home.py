"""A config folder with a family in which each way of copying and of going on occurs once.

FIRST        u1 a1 u2 a2 u3 a3           "Fix the login"
  EARLY      an SDK's fork up to a1      goes on with u4
  BRANCH     `/branch` up to a2          goes on with u5
    COPY     `--fork-session` of BRANCH  goes on with u6
  RESUMED    1.x: goes on from a3        u7 a7
LEFT         `/branch` of GONE           goes on with u9
"""

from __future__ import annotations

from pathlib import Path

from tests.builders import Fields, line, transcript
from tests.forked import copied


def an_id(number: int) -> str:
    """The id of a session of the family."""
    return f"fa000000-0000-4000-8000-{number:012}"


FIRST, EARLY, BRANCH, COPY, RESUMED, GONE, LEFT = map(an_id, range(1, 8))
NAMES = {
    FIRST: "first",
    EARLY: "early",
    BRANCH: "branch",
    COPY: "copy",
    RESUMED: "resumed",
    GONE: "gone",
    LEFT: "left",
}
PROMPTS = {
    "u1": "Fix the login",
    "u2": "Add a test",
    "u3": "Tidy up",
    "u4": "Try tokens instead",
    "u5": "Use a cookie",
    "u6": "Make it strict",
    "u7": "Continue after lunch",
    "u8": "Change the menu",
    "u9": "And the logout",
}
FIELDS: dict[str, Fields] = {name: {"message": {"content": text}} for name, text in PROMPTS.items()}


def told(text: str, start: float, session: str) -> bytes:
    """Rows of a session, with a state line behind each prompt as clients write them."""
    words = text.split()
    spaced = " ".join(f"{word} !{word}()" if word[0] == "u" else word for word in words)
    data = transcript(spaced, start=start, fields=FIELDS)
    return data.replace(b"5e551010-0000-4000-8000-000000000000", session.encode())


def family_data() -> dict[str, bytes]:
    """The transcripts, by session id."""
    early, late = told("u1 a1 u2 a2", 0, FIRST), told("| a2 u3 a3", 1000, FIRST)
    first = early + late
    branch = copied(early, "branch", origin=FIRST, session=BRANCH, now=500)
    branch += line(type="custom-title", customTitle="Fix the login (Branch)", sessionId=BRANCH)
    branch += told("| a2 u5 a5", 2000, BRANCH)
    copy = copied(branch, "forkSession", origin=BRANCH, session=COPY)
    sdk = copied(first, "sdk", origin=FIRST, session=EARLY, up_to="a1", now=3000)
    sdk += line(type="custom-title", customTitle="Fix the login (fork)", sessionId=EARLY)
    left = copied(told("u8 a8", 0, GONE), "branch", origin=GONE, session=LEFT)
    return {
        FIRST: first,
        EARLY: sdk + told("| a1x u4 a4", 3100, EARLY),
        BRANCH: branch,
        COPY: copy + told("| a5 u6 a6", 4000, COPY),
        RESUMED: told("| a3 u7 a7", 5000, RESUMED),
        LEFT: left + told("| a8 u9 a9", 6000, LEFT),
    }


def plant_family(home: Path) -> None:
    """Write the family below a config folder."""
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True, exist_ok=True)
    for session, data in family_data().items():
        (folder / f"{session}.jsonl").write_bytes(data)
