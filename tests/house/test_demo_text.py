"""The demo in a terminal, as README has it: no editor and no Node.js is asked for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.fixture_paths import REPOSITORY


def test_it_prints(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(REPOSITORY / "client-vscode"))
    from fixtures.demo import open as demo

    # Its packages are here already: they are those of the interpreter that runs this.
    monkeypatch.setattr(demo, "ensure_python_environment", lambda _file: Path(sys.executable))
    monkeypatch.setenv("PATH", "")
    assert demo.main(["--text"]) == 0
    out = capfd.readouterr().out
    assert "$ forkpoint sessions" in out
    shown = out.split("$ forkpoint show ")[1]
    for line in ("Round the total", "Lower the tax rate", "Tidy the readme"):
        assert line in shown
