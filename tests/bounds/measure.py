"""Asks everything of a home and prints what was answered and the memory that it took.

python tests/bounds/measure.py HOME
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from forkpoint.catalog import Catalog
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.protocol.encode import encode, json_bytes
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.params import decode_params


def main(home: Path) -> None:
    began = time.monotonic()
    catalog = Catalog([home], codex_homes=[home / "codex"])
    sessions = _asked(catalog, "sessions", limit=50)
    newest = sessions["sessions"][0]["sessionId"]
    sizes: dict[str, int] = {"sessions": sessions["bytes"]}
    for method, more in {
        "branchTree": {},
        "activePath": {"limit": 100},
        "records": {"offset": 0, "limit": 100},
        "transcript": {},
        "cacheHistory": {"limit": 100},
        "health": {},
    }.items():
        sizes[method] = _asked(catalog, method, sessionId=newest, **more)["bytes"]
    took = round(time.monotonic() - began, 1)
    print(
        json.dumps({"total": sessions["total"], "sizes": sizes, "peak": _peak(), "seconds": took})
    )


def _peak() -> int:
    """Bytes of memory that this program had at most, and not who started it, as getrusage says."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def _asked(catalog: Catalog, name: str, **params: object) -> dict[str, object]:
    method = f"forkpoint/{name}"
    try:
        answer = encode(HANDLERS[method](catalog, decode_params(method, params)))
    except RequestFailed as refused:
        return {"bytes": 0, "refused": refused.kind}
    return {**answer, "bytes": len(json_bytes(answer))}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
