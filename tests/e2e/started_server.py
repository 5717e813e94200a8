"""The real server, started so that a test knows which phase of the start it is in.

    started_server.py first GATE ARGUMENTS...   the server proper comes when the file GATE is there
    started_server.py second GATE ARGUMENTS...  there is no first phase

Each catalog that is opened is a line on standard error.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from forkpoint import serving
from forkpoint.catalog import Catalog
from forkpoint.cli import main
from forkpoint.lsp import start

OPENED = "a catalog is opened"

make_everything = serving.everything
begin_catalog = Catalog.__init__


def behind_the_gate(catalog):
    while not gate.exists():
        time.sleep(0.002)
    return make_everything(catalog)


def at_once_proper(open_catalog, questions, content_schemes, create):
    from forkpoint.lsp.server import serve_stdio

    return serve_stdio(create(start.OpenedCatalog(open_catalog)))


def told(catalog, *arguments):
    print(OPENED, file=sys.stderr)
    begin_catalog(catalog, *arguments)


if __name__ == "__main__":
    phase, gate = sys.argv[1], Path(sys.argv[2])
    Catalog.__init__ = told
    if phase == "first":
        serving.everything = behind_the_gate
    else:
        serving.serve_at_once = at_once_proper
    sys.exit(main(sys.argv[3:]))
