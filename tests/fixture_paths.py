"""Where the recorded material lies; fixtures/README.md says what each folder holds."""

from __future__ import annotations

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
FIXTURES = REPOSITORY / "fixtures"
REAL = FIXTURES / "claude-code"
CASES = FIXTURES / "cases"
ORACLE = FIXTURES / "oracle"

# Published session files of other projects are not ours to commit. Tests that read them skip,
# saying so, where the folder is absent.
PUBLIC = Path(
    os.environ.get("FORKPOINT_PUBLIC_SESSIONS") or REPOSITORY.parent / "shared" / "public-sessions"
)
