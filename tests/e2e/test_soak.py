"""A short form of the soak: 5,000 appends. The whole is `python -m tests.e2e.soak`."""

from __future__ import annotations

import sys

import pytest

from tests.e2e.soak import check, soak


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measures by /proc")
def test_it_stays_right_and_small() -> None:
    measured = list(soak(5_000))
    assert [each.appends for each in measured] == [1_250, 2_500, 3_750, 5_000]
    check(measured)
