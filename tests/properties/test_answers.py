"""Answers depend on the files alone, and the wire carries them whole."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import orjson
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, override
from hypothesis import given, settings
from hypothesis import strategies as st

from forkpoint.catalog import Catalog
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.protocol import types
from forkpoint.protocol.encode import encode, json_bytes
from forkpoint.protocol.methods import REQUESTS
from forkpoint.protocol.names import camel_case
from forkpoint.protocol.params import decode_params
from tests.builders import SESSION
from tests.strategies import chunks, files

QUESTIONS: Mapping[str, dict[str, object]] = {
    "forkpoint/sessions": {"includeProgrammatic": True},
    "forkpoint/health": {"sessionId": SESSION},
    "forkpoint/search": {"query": "in:prompts in:answers in:outputs"},
    "forkpoint/abandoned": {},
    "forkpoint/usage": {"by": ["day", "model"], "timeZone": "UTC", "withText": True},
    **{
        f"forkpoint/{name}": {"sessionId": SESSION}
        for name in (
            "activePath",
            "branchTree",
            "records",
            "toolCalls",
            "subagents",
            "transcript",
            "workState",
            "cacheHistory",
            "cacheImpact",
            "family",
            "contextCurve",
        )
    },
}


def answers(catalog: Catalog) -> dict[str, Any]:
    """Each method's answer; the session is read first, so that no count is still unknown."""
    conversation = catalog.conversation(SESSION)
    places = {
        f"forkpoint/locate {call_id}": HANDLERS["forkpoint/locate"](
            catalog, types.LocateParams(session_id=SESSION, tool_use_id=call_id)
        )
        for call in conversation.index.tools.all(conversation.index.joins)[:5]
        for call_id in [conversation.index.joins.call_ids[call.number]]
    }
    return places | {
        method: HANDLERS[method](catalog, decode_params(method, params))
        for method, params in QUESTIONS.items()
    }


def place(root: Path) -> Path:
    path = root / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    return path


@settings(max_examples=50)
@given(files, st.data())
def test_one_that_was_there_all_along_agrees_with_one_that_starts_now(
    data: bytes, draw: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = place(Path(folder))
        path.touch()
        watching = Catalog([Path(folder)])
        for chunk in draw.draw(chunks(data)):
            with path.open("ab") as file:
                file.write(chunk)
            answers(watching)
        assert answers(watching) == answers(Catalog([Path(folder)]))


@settings(max_examples=50)
@given(files)
def test_answers_survive_the_way_down_and_up(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = place(Path(folder))
        path.write_bytes(data)
        for method, answer in answers(Catalog([Path(folder)])).items():
            sent = orjson.loads(json_bytes(encode(answer)))
            received = structured(sent, REQUESTS[method.split()[0]].result)
            assert orjson.loads(json_bytes(encode(received))) == sent


def structured(value: object, shape: type[Any]) -> Any:
    """Build a wire type from JSON, by the names that clients see."""
    return _converter.structure(value, shape)


def _structure_by_wire_names(shape: type[Any], _: object = None) -> Any:
    renamed = {each.name: override(rename=camel_case(each.name)) for each in attrs.fields(shape)}
    return make_dict_structure_fn(shape, _converter, **renamed)


def _block(value: dict[str, object], _: object) -> object:
    shapes = {attrs.fields(shape).kind.default: shape for shape in types.Block.__args__}
    return _converter.structure(value, shapes[value["kind"]])


_converter = Converter()
_converter.register_structure_hook_factory(attrs.has, _structure_by_wire_names)
_converter.register_structure_hook_func(lambda shape: shape == types.Block, _block)
