"""The health of transcripts, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from forkpoint.protocol import types
from forkpoint.protocol.uri import path_of
from forkpoint.terminal import visible


def health_page(result: types.HealthResult) -> str:
    """Return what is odd, each kind below a heading with the places where it is."""
    natives = [each.sentence for each in result.problems if each.code == "withoutNatives"]
    parts = [result.sentence, *natives, *_findings(result), *_rest(result)]
    return "\n".join(parts)


def _findings(result: types.HealthResult) -> Iterator[str]:
    named = [each.sentence for each in result.totals.unknown_types]
    named += [each.sentence for each in result.unknown_fields.fields]
    yield from _below("Unknown types and fields", named)
    for found in result.sessions:
        yield from _below(_name(found), [*_lines(found)])
    yield from _below(
        "Sessions without their copies",
        [f"{each.session_id}  {each.sentence}" for each in result.transcripts_without_backups],
    )
    yield from _below(
        "Same id in several places",
        [f"{each.session_id}  {each.sentence}" for each in result.duplicate_ids],
    )
    yield from _below(
        "Unreadable",
        [f"{visible(path_of(each.path))}  {each.sentence}" for each in result.unreadable],
    )


def _name(found: types.TranscriptHealth) -> str:
    agent = f", subagent {visible(found.agent_id)}" if found.agent_id else ""
    return f"Session {visible(found.session_id)}{agent}"


def _lines(found: types.TranscriptHealth) -> Iterator[str]:
    if found.torn_tail is not None:
        yield _at(found.torn_tail.line, found.torn_tail.sentence)
    chains = [each for each in found.broken_chains if each.goes_on_from is None]
    for each in (*found.malformed, *chains, *found.loops, *found.repeated_uuids):
        yield _at(each.line, each.sentence)
    for problem in found.problems:
        yield visible(problem.sentence)
    for name in found.missing_backups:
        yield f"The copy {visible(name)} is gone."


def _at(line: int | None, sentence: str) -> str:
    return sentence if line is None else f"line {line + 1}: {sentence}"


def _rest(result: types.HealthResult) -> Iterator[str]:
    yield from _below(
        "Remains", [f"{visible(path_of(each.path))}  {each.sentence}" for each in result.remains]
    )
    kept = [setting.sentence for setting in result.retention.settings]
    going = [f"{each.session_id}  {each.expires_at}" for each in result.retention.sessions]
    yield from _below(result.retention.sentence, [*kept, *going])
    if result.unknown_fields.sentence:
        yield f"\n{result.unknown_fields.sentence}"


def _below(heading: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"\n{heading}"
        yield from (f"  {line}" for line in lines)
