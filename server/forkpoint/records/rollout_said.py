"""The texts of a rollout's line by which it is found (see `searchable`).

They depend on the line alone: an item in the user's name counts as a prompt unless it begins as
what the client puts in.
"""

from __future__ import annotations

from collections.abc import Iterator

from forkpoint.records.codex import (
    COMPACTED,
    EVENT,
    Item,
    is_injected,
    summary_in,
    texts_in,
    words_of_shell,
)
from forkpoint.records.record import Block
from forkpoint.records.rollout_calls import (
    CALLS,
    OUTPUTS,
    RolloutCall,
    call_in,
    changed_files,
    event_call,
    ids_of,
    output_in,
)
from forkpoint.records.searchable import Part, SearchText, leaves, searched_of

_ENDED = frozenset({"patch_apply_end", "mcp_tool_call_end", "web_search_end", "exec_command_end"})


def texts_of_item(item: Item) -> list[SearchText]:
    """Return the texts of an item, in an order that depends on it alone."""
    found = _event(item) if item.type == EVENT else _item(item)
    return [each for each in found if each.block is not None or each.text.strip()]


def _item(item: Item) -> Iterator[SearchText]:
    says = item.says
    match item.subtype:
        case "message" | "agent_message":
            texts = texts_in(says.content)
            yield _text(_part(item, texts), "\n".join(_plain(text) for text in texts))
        case "reasoning":
            yield _text(
                Part.THINKING, "\n".join([*texts_in(says.summary), *texts_in(says.content)])
            )
        case subtype if subtype in CALLS:
            yield from _call(call_in(item))
        case subtype if subtype in OUTPUTS:
            output = output_in(says)
            block = Block("tool_result", output.call_id, is_error=output.failed)
            yield SearchText(Part.TOOL_OUTPUT, searched_of(Part.TOOL_OUTPUT, output.text), block)
        case _ if item.type == COMPACTED:
            yield _text(Part.CONTEXT, summary_in(says))
        case _:
            return


def _event(item: Item) -> Iterator[SearchText]:
    says = item.says
    match item.subtype:
        case "user_message":
            yield _text(Part.PROMPT, says.message or "")
        case "agent_message":
            yield _text(Part.ANSWER, says.message or "")
        case "agent_reasoning" | "agent_reasoning_raw_content":
            yield _text(Part.THINKING, says.text or "")
        case "item_completed":
            yield _text(Part.ANSWER, (says.item and says.item.text) or "")
        case "error":
            yield _text(Part.CONTEXT, says.message or "")
        case subtype if subtype in _ENDED:
            call, _ = event_call(item)
            files = changed_files(says.changes)
            yield from _call(RolloutCall(call.call_id, call.name, call.given, files))
        case _:
            return


def _text(part: Part, text: str) -> SearchText:
    return SearchText(part, searched_of(part, text))


def _call(call: RolloutCall) -> Iterator[SearchText]:
    text = searched_of(Part.TOOL_INPUT, "\n".join(leaves(call.given)))
    for call_id, file in zip(ids_of(call), call.files or (None,), strict=True):
        yield SearchText(Part.TOOL_INPUT, text, Block("tool_use", call_id, call.name, file=file))
        text = ""


def _part(item: Item, texts: list[str]) -> Part:
    if item.says.role == "assistant":
        return Part.ANSWER
    if item.says.role != "user" or item.subtype != "message" or not texts:
        return Part.CONTEXT
    is_shell = _plain(texts[0]) != texts[0]
    return Part.CONTEXT if is_injected(texts[0]) and not is_shell else Part.PROMPT


def _plain(text: str) -> str:
    return f"! {words_of_shell(text)}" if text.lstrip().startswith("<user_shell_command>") else text
