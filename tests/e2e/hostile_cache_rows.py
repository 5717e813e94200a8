"""Transcripts that no client would leave, as far as forecasts of the prompt cache read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.builders import Fields, line, transcript, uuid
from tests.e2e.cache_homes import LAST, ONE, answer, first_answer, minutes, rows, usage

TEXT = "u1 h1 a1 u2 a2"
TIMES = minutes({"a1": -2, "a2": 0, "b1": 1, "c1": 1.01})
ODD: tuple[Any, ...] = (None, -5, 10**30, 1.5, "many", [], {}, True)
SYNTHETIC = {"message": {"model": "<synthetic>", "usage": usage("0/0/0/0/0")}}
BOUNDARIES: Mapping[str, Any] = {
    "no metadata": {},
    "metadata null": {"compactMetadata": None},
    "metadata a list": {"compactMetadata": [1]},
    "no size": {"compactMetadata": {"trigger": "manual"}},
    "negative size": {"compactMetadata": {"postTokens": -1, "durationMs": -1}},
    "huge size": {"compactMetadata": {"postTokens": 10**30, "durationMs": 10**30}},
    "size in words": {"compactMetadata": {"postTokens": "few", "durationMs": "short"}},
}


def talk(last: Fields | None = None, text: str = TEXT, **more: Any) -> bytes:
    """The session of worked example 1 with other fields in its last answer."""
    fields = {"a1": first_answer(ONE), "a2": answer(ONE), **more.pop("fields", {})}
    times = more.pop("times", TIMES)
    return rows(text, times, {**fields, "a2": {**fields["a2"], **(last or {})}}, **more)


def counted(**numbers: Any) -> bytes:
    """One whose last answer has other numbers."""
    message = answer(ONE)["message"]
    return talk({"message": {**message, "usage": {**message["usage"], **numbers}}})


def with_usage(numbers: Any) -> bytes:
    """One whose answers have this for their numbers."""
    message = {**answer(ONE)["message"], "usage": numbers}
    return talk(fields={"a1": {"message": message}, "a2": {"message": message}})


def timed(value: Any) -> bytes:
    """One all of whose rows have this for their time."""
    return talk(timestamp=value)


def recording(attachment: Any) -> bytes:
    """One whose prompt is recorded like this."""
    return talk(fields={"h1": {"attachment": {"type": "prompt_snapshot", **attachment}}}, tools=())


def in_a_circle() -> bytes:
    circle = {"u1": {"parentUuid": uuid("a2")}}
    return talk(fields=circle)


def torn() -> bytes:
    whole = talk()
    return b"\0" * 100 + b'{"type":"assist\n' + whole[:-200] + b"\n[]\n5\n" + whole[-50:]


def many_answers() -> bytes:
    """10,000 answers in a row, each of which reads what the one before wrote."""
    names = ["u1", *(f"a{number}" for number in range(1, 10_001))]
    fields = {
        name: answer(f"3/{100 * number}/0/100/50") for number, name in enumerate(names) if number
    }
    seconds = {name: LAST - 10_000 + number for number, name in enumerate(names)}
    return transcript(" ".join(names), times=seconds, fields=fields)


HOSTILE: dict[str, bytes] = {
    "no prompt": b"",
    "nothing but state": line(type="mode", mode="normal"),
    "no answer": rows("u1", {}, {}),
    "only synthetic answers": rows("u1 a1 u2 a2", TIMES, {"a1": SYNTHETIC, "a2": SYNTHETIC}),
    "only an error": rows("u1 a1", {}, {"a1": {**SYNTHETIC, "isApiErrorMessage": True}}),
    **{f"usage {odd}": with_usage(odd) for odd in ODD},
    **{f"input {odd}": counted(input_tokens=odd) for odd in ODD},
    **{f"read {odd}": counted(cache_read_input_tokens=odd) for odd in ODD},
    **{f"written {odd}": counted(cache_creation_input_tokens=odd) for odd in ODD},
    **{f"written as {odd}": counted(cache_creation=odd) for odd in ODD},
    **{
        f"written for an hour {odd}": counted(cache_creation={"ephemeral_1h_input_tokens": odd})
        for odd in ODD
    },
    **{f"speed {odd}": counted(speed=odd) for odd in ODD},
    **{f"model {odd}": talk({"message": {**answer(ONE)["message"], "model": odd}}) for odd in ODD},
    **{f"asked for {odd}": talk({"promptCacheRequested": odd}) for odd in (*ODD, "2h")},
    **{f"effort {odd}": talk({"effort": odd}) for odd in ODD},
    **{f"version {odd}": talk({"version": odd}) for odd in (*ODD, "latest", "2.1", "9.9.9.9")},
    **{f"kept as {odd}": talk({"requestRef": odd}) for odd in ODD},
    **{f"time {odd}": timed(odd) for odd in (*ODD, "soon", "0001-01-01T00:00:00Z")},
    **{f"cwd {odd}": talk(cwd=odd) for odd in (*ODD, "..", "/a\0b")},
    **{f"prompt {odd}": recording({"systemPrompt": odd, "tools": odd}) for odd in ODD},
    **{f"tool {odd}": recording({"tools": [odd]}) for odd in ODD},
    **{f"tool name {odd}": recording({"tools": [{"name": odd}]}) for odd in ODD},
    **{
        f"boundary, {name}": talk(text=f"{TEXT} b1 c1", fields={"b1": fields})
        for name, fields in BOUNDARIES.items()
    },
    "boundary alone": rows("b1", {}, {}),
    "in a circle": in_a_circle(),
    "torn": torn(),
    "10,000 answers": many_answers(),
}
