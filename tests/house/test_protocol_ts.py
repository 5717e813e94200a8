"""The TypeScript twin of the wire contract is what its generator would write now."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from forkpoint.protocol.methods import NOTIFICATIONS, REQUESTS
from forkpoint.protocol.names import camel_case
from tests.protocol_page import PAGE, page

SCRIPT = Path(__file__).parents[2] / "client-vscode" / "scripts" / "protocol_ts.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("protocol_ts", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_up_to_date(script: ModuleType):
    assert script.main(["--check"]) == 0, "run client-vscode/scripts/protocol_ts.py"


@pytest.mark.parametrize("text", [None, "", "export interface Requests {}\n"])
def test_the_check_sees_that_it_is_not(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str | None
):
    target = tmp_path / "protocol.ts"
    if text is not None:
        target.write_text(text)
    monkeypatch.setattr(script, "TARGET", target)
    assert script.main(["--check"]) == 1
    assert script.main([]) == 0
    assert script.main(["--check"]) == 0


def test_it_holds_every_method_and_what_may_be_left_out(script: ModuleType):
    text = script.protocol_ts()
    for method in [*REQUESTS, *NOTIFICATIONS]:
        assert f'  "{method}": ' in text
    for line in [
        "export interface ActivePathParams extends SessionReference {",
        "  sessionId: string;",
        "  agentId?: string | null;",
        "  offset?: number;",
        "  uuids?: string[] | null;",
        "  folder?: string | null;",
        '  order?: "forward" | "backward";',
        '  kind: "toolUse";',
        "  cacheWrite5m: number;",
        "  blocks: Block[];",
        'export type Fate = "sent" | "summarized" | "notSent";',
    ]:
        assert f"\n{line}\n" in text


def test_the_page_of_the_wire_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.protocol_page renews it"


def test_the_page_has_every_method_and_every_field():
    text = page()
    for name in [*REQUESTS, *NOTIFICATIONS]:
        assert f"### `{name}`" in text
    shapes = [shape for each in REQUESTS.values() for shape in (each.params, each.result)]
    for shape in [*shapes, *(each.params for each in NOTIFICATIONS.values())]:
        section = text.partition(f"\n### {shape.__name__}\n")[2].partition("\n### ")[0]
        for field in vars(shape).get("__annotations__", {}):
            assert f"| `{camel_case(field)}" in section
