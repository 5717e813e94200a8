"""The content of a rollout's line for a reader (format.md section 19).

What stands on both channels reads alike from either line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from forkpoint.records.blocks import (
    ContentBlock,
    Image,
    Other,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
)
from forkpoint.records.codex import (
    COMPACTED,
    EVENT,
    ITEM,
    SHELL_MARK,
    Item,
    decode_item,
    parts_in,
    summary_in,
    texts_in,
    without_mark,
    words_of_shell,
)
from forkpoint.records.compact_json import compact_json, decoded_size, without_data_urls
from forkpoint.records.record import Malformed
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
from forkpoint.records.rollout_shapes import PartShape
from forkpoint.records.words import one_line

_Blocks = Iterator[ContentBlock]


def rollout_blocks(line: bytes, limit: int) -> list[ContentBlock] | None:
    """Read a rollout's line; None where it has no shape of its own.

    Args:
        line: the bytes of one object.
        limit: characters of a text that are kept.
    """
    item = decode_item(line)[0].value
    if isinstance(item, Malformed):
        return None
    readers = {ITEM: _ITEMS, EVENT: _EVENTS}.get(item.type, _LINES)
    read = readers.get(item.subtype or item.type)
    return None if read is None else list(read(item, limit)) or None


def picture_urls(line: bytes) -> list[str]:
    """Return where each picture of a rollout's line lies, in the order of its blocks.

    They are `data:` URLs mostly; an empty text stands for a picture that is named otherwise.
    """
    item = decode_item(line)[0].value
    if isinstance(item, Malformed):
        return []
    if item.type == EVENT:
        return list(item.says.images or ()) if item.subtype == "user_message" else []
    if item.subtype == "image_generation_call":
        data = bytes(item.says.result).strip(b'"')
        return [f"data:image/png;base64,{data.decode('ascii', 'replace')}"] if data else []
    says = item.says
    parts = parts_in(says.output if item.subtype in OUTPUTS else says.content)
    return [part.image_url for part in parts if part.image_url is not None and part.text is None]


# --- words -------------------------------------------------------------------------------------


def _message(item: Item, limit: int) -> _Blocks:
    for part in parts_in(item.says.content):
        block = _part(part, limit)
        if block is not None:
            yield block


def _part(part: PartShape, limit: int) -> ContentBlock | None:
    if part.text is not None:
        text = without_mark(part.text)
        if text.lstrip().startswith(SHELL_MARK):
            text = f"<bash-input>{words_of_shell(text)}</bash-input>"
        return Text(*_cut(text, limit))
    if part.image_url is not None:
        return _image(part.image_url)
    return Other(part.type or "", "") if part.type else None


def _image(url: str) -> Image:
    head, comma, data = url.partition(",")
    if not comma or not head.startswith("data:"):
        return Image(None, 0)
    media_type = head.removeprefix("data:").partition(";")[0]
    return Image(one_line(media_type) or None, decoded_size(data))


def _user_event(item: Item, limit: int) -> _Blocks:
    yield Text(*_cut(item.says.message or "", limit))
    yield from map(_image, item.says.images or ())


def _words(item: Item, limit: int) -> _Blocks:
    if item.says.message:
        yield Text(*_cut(item.says.message, limit))


def _compacted(item: Item, limit: int) -> _Blocks:
    text = summary_in(item.says)
    if text:
        yield Text(*_cut(text, limit))


def _aborted(item: Item, limit: int) -> _Blocks:
    yield Text(one_line(item.says.reason or "interrupted"))


def _done_item(item: Item, limit: int) -> _Blocks:
    done = item.says.item
    if done is not None and done.text:
        yield Text(*_cut(done.text, limit))


def _thoughts(item: Item, limit: int) -> _Blocks:
    texts = [*texts_in(item.says.summary), *texts_in(item.says.content)]
    yield Thinking(*_cut("\n\n".join(texts), limit))


def _thought_event(item: Item, limit: int) -> _Blocks:
    yield Thinking(*_cut(item.says.text or "", limit))


# --- calls -------------------------------------------------------------------------------------


def _call(item: Item, limit: int) -> _Blocks:
    yield from _uses(call_in(item), limit)
    if item.subtype == "image_generation_call" and item.says.result:
        yield Image("image/png", decoded_size(bytes(item.says.result).decode("ascii", "replace")))


def _uses(call: RolloutCall, limit: int) -> _Blocks:
    text = call.given if isinstance(call.given, str) else compact_json(call.given)
    shown = without_data_urls(text)[:limit]
    files = call.files or (None,)
    for call_id, file in zip(ids_of(call), files, strict=True):
        summary = "" if file is not None else one_line(summary_of(call.given))
        yield ToolUse(call_id, call.name, file, summary, shown)
        # All of the patch stands with its first file.
        shown = ""


_TELLING = ("cmd", "command", "query", "path", "explanation", "message", "prompt", "url")


def summary_of(given: object) -> str:
    """Return what a call does, as far as one of its fields tells most."""
    if isinstance(given, str):
        return given
    if not isinstance(given, dict):
        return compact_json(given)
    fields = cast("dict[str, object]", given)
    values = [fields.get(name) for name in _TELLING] + list(fields.values())
    for value in values:
        if isinstance(value, list):
            value = _command(cast("list[object]", value))
        if isinstance(value, str) and value.strip():
            return value
    return compact_json(fields) if fields else ""


def _command(words: list[object]) -> str:
    """The words of a command; of a shell's, the script that it runs."""
    texts = [word for word in words if isinstance(word, str)]
    if len(texts) == len(words) == 3 and texts[1] in ("-lc", "-c"):
        return texts[2]
    return " ".join(texts) if len(texts) == len(words) else ""


def _output(item: Item, limit: int) -> _Blocks:
    output = output_in(item.says)
    yield _result(output.call_id, output.text, output.failed, limit)
    for part in parts_in(item.says.output):
        if part.image_url is not None and part.text is None:
            yield _image(part.image_url)


def _result(call_id: str, text: str, failed: bool, limit: int) -> ToolResult:
    shown, cut_at = _cut(text, limit)
    size = len(text.encode("utf-8", "surrogatepass"))
    return ToolResult(call_id, failed, shown, cut_at, size)


def _event_call(item: Item, limit: int) -> _Blocks:
    call, failed = event_call(item)
    files = changed_files(item.says.changes)
    yield from _uses(RolloutCall(call.call_id, call.name, call.given, files), limit)
    text = item.says.aggregated_output or item.says.stdout or item.says.stderr or ""
    if item.says.result and not text and item.subtype != "image_generation_end":
        text = bytes(item.says.result).decode("utf-8", "replace")
    if text:
        yield _result(call.call_id, text, failed, limit)


def _cut(text: str, limit: int) -> tuple[str, int | None]:
    text = without_data_urls(text)
    return text[:limit], limit if len(text) > limit else None


_Reader = Callable[[Item, int], _Blocks]

_LINES: dict[str, _Reader] = {COMPACTED: _compacted}
_ITEMS: dict[str, _Reader] = {
    "message": _message,
    "agent_message": _message,
    "reasoning": _thoughts,
    **dict.fromkeys(CALLS, _call),
    **dict.fromkeys(OUTPUTS, _output),
}
_EVENTS: dict[str, _Reader] = {
    "user_message": _user_event,
    "agent_message": _words,
    "agent_reasoning": _thought_event,
    "agent_reasoning_raw_content": _thought_event,
    "turn_aborted": _aborted,
    "item_completed": _done_item,
    "error": _words,
    "patch_apply_end": _event_call,
    "mcp_tool_call_end": _event_call,
    "web_search_end": _event_call,
    "image_generation_end": _event_call,
    "exec_command_end": _event_call,
}
