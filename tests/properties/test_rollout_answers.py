"""Every question is answered about any rollout, and the answers depend on the files alone."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from forkpoint.catalog import Catalog
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.protocol.encode import encode, json_bytes
from forkpoint.protocol.methods import REQUESTS
from forkpoint.protocol.params import decode_params
from tests.properties.test_answers import QUESTIONS, structured
from tests.rollout_strategies import rollouts
from tests.rollouts import THREAD
from tests.strategies import chunks


@contextmanager
def placed() -> Iterator[tuple[Path, Path]]:
    """A Codex home, and where its only rollout is to lie."""
    with tempfile.TemporaryDirectory() as folder:
        name = f"rollout-2026-09-01T09-00-00-{THREAD}.jsonl"
        path = Path(folder) / "sessions" / "2026" / "09" / "01" / name
        path.parent.mkdir(parents=True)
        yield Path(folder), path


def answers(catalog: Catalog) -> dict[str, Any]:
    """Each method's answer; prompts are asked about one by one."""
    conversation = catalog.conversation(THREAD)
    index = conversation.index
    asked: list[tuple[str, dict[str, object]]] = [
        (method, {**params, **({"sessionId": THREAD} if "sessionId" in params else {})})
        for method, params in QUESTIONS.items()
    ]
    for prompt in list(index.summary.prompts)[:3]:
        about = {"sessionId": THREAD, "prompt": index.nodes.uuid(prompt)}
        asked.append(("forkpoint/rewindPreview", about))
        asked.append(("forkpoint/cacheImpact", {**about, "action": "rewind"}))
    for call in index.tools.all(index.joins)[:5]:
        call_id = index.joins.call_ids[call.number]
        asked.append(("forkpoint/locate", {"sessionId": THREAD, "toolUseId": call_id}))
    return {
        f"{method} {params}": HANDLERS[method](catalog, decode_params(method, params))
        for method, params in asked
    }


@settings(max_examples=50)
@given(rollouts, st.data())
def test_one_that_was_there_all_along_agrees_with_one_that_starts_now(
    data: bytes, draw: st.DataObject
) -> None:
    with placed() as (home, path):
        path.touch()
        watching = Catalog([], codex_homes=[home])
        for chunk in draw.draw(chunks(data)):
            with path.open("ab") as file:
                file.write(chunk)
            answers(watching)
        assert answers(watching) == answers(Catalog([], codex_homes=[home]))


@settings(max_examples=50)
@given(rollouts)
def test_answers_survive_the_way_down_and_up(data: bytes) -> None:
    with placed() as (home, path):
        path.write_bytes(data)
        for method, answer in answers(Catalog([], codex_homes=[home])).items():
            sent = orjson.loads(json_bytes(encode(answer)))
            received = structured(sent, REQUESTS[method.split()[0]].result)
            assert orjson.loads(json_bytes(encode(received))) == sent
