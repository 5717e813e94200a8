"""A uuid is found whether the map is there, at rest, or built anew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forkpoint.uuids import Uuids, key_of

NIL = "00000000-0000-0000-0000-000000000000"
# Keys of few different bytes, so that one stands in the middle of two others now and then.
_close = st.lists(st.sampled_from("01"), min_size=32, max_size=32).map("".join)
_canonical = _close.map(lambda d: f"{d[:8]}-{d[8:12]}-{d[12:16]}-{d[16:20]}-{d[20:]}")
_texts = _canonical | st.text(max_size=3) | st.just(NIL)


@given(st.lists(_texts | st.none(), unique=True, max_size=60), _texts, st.integers(0, 60))
def test_rest_changes_no_answer(written: list[str | None], other: str, rests_after: int) -> None:
    uuids = Uuids()
    for row, uuid in enumerate(written):
        if row == rests_after:
            uuids.rest()
        uuids.add(uuid)
    uuids.rest()
    for text in [*filter(None, written), other] * 2:  # more than a few: the map is built meanwhile
        row = written.index(text) if text in written else None
        assert uuids.find(key_of(text)) == row
    assert [uuids.text(row) for row in range(len(written))] == written


def test_only_what_16_bytes_give_back_is_kept_in_16_bytes() -> None:
    odd = ["", NIL, "ABCDEF01-2345-6789-abcd-ef0123456789", "agent-0", "é" * 36, "0" * 32]
    uuids = Uuids()
    for uuid in odd:
        uuids.add(uuid)
    assert [uuids.text(row) for row in range(len(odd))] == odd
    assert [uuids.find(key_of(uuid)) for uuid in odd] == list(range(len(odd)))
