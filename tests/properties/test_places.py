"""Every record has a place where it can be read, or a row that names it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from forkpoint.catalog import Catalog
from forkpoint.lsp.features import transcript as feature
from forkpoint.lsp.features.transcript_place import transcript_place
from forkpoint.protocol import types
from forkpoint.protocol.transcript_uri import Named, named_by
from tests.builders import SESSION
from tests.e2e.recordings import HOMES, Transcript, name_of, transcripts
from tests.small_parts import small
from tests.strategies import files

MOST = 40
"""Records looked for in a recording: the first, the last and some between them."""


def check(catalog: Catalog, session_id: str, agent_id: str | None) -> None:
    nodes = catalog.conversation(session_id, agent_id).index.nodes
    count = len(nodes)
    for row in sorted({*range(0, count, max(1, count // MOST)), *range(count)[-1:]}):
        asked = types.TranscriptPlaceParams(session_id=session_id, agent_id=agent_id, ordinal=row)
        place = transcript_place(catalog, asked)
        assert place.agent_id == agent_id
        assert place.ordinal == nodes.first_of.get(row, row)
        named = Named(session_id, agent_id, place.leaf, place.before)
        assert named_by(place.document) == named
        text = feature.transcript(
            catalog,
            types.TranscriptParams(
                session_id=session_id, agent_id=agent_id, leaf=place.leaf, before=place.before
            ),
        )
        lines = [section.line for section in text.sections if section.ordinal == place.ordinal]
        assert place.shown == bool(lines)
        assert place.line in (lines[:1] or [each.line for each in text.elsewhere])
        if nodes.is_node(place.ordinal):
            by_uuid = types.TranscriptPlaceParams(
                session_id=session_id, agent_id=agent_id, uuid=nodes.uuid(row)
            )
            assert transcript_place(catalog, by_uuid) == place


CASES = [
    pytest.param(home, each, id=f"{name_of(home)}-{each.path.stem[:8]}")
    for home in HOMES
    for each in transcripts(home)
    if 0 < each.path.stat().st_size < 500_000
]


@pytest.mark.parametrize(("home", "recorded"), CASES)
def test_recordings(home: Path, recorded: Transcript) -> None:
    with small():
        check(Catalog([home]), recorded.session_id, recorded.agent_id)


@settings(max_examples=60)
@given(files)
def test_anything(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, small():
        path = Path(folder) / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        check(Catalog([Path(folder)]), SESSION, None)
