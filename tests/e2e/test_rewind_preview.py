"""`forkpoint/rewindPreview` foretells what going back to each prompt of the recordings does.

The files that a prompt would bring back are those that lay there when it was sent: the recorded
edits are replayed for that. The working folder is the recorded one, as the session left it.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.moved_recordings import Moved, moved
from tests.e2e.recordings import rows
from tests.e2e.replayed_edits import Files, Moment, moments
from tests.e2e.version_contents import by_path, changed_lines, content
from tests.fixture_paths import REAL


def edited_by_hand(before: list[Moment]) -> Files:
    """The recording's script added a line to tax.py while the client waited."""
    rate = "RATE = 0.1\n\n\ndef with_tax(x):\n    return x * (1 + RATE)\n"
    return {"tax.py": rate + "\n# edited by hand\n"}


def went_back(before: list[Moment]) -> Files:
    """Its code was taken back to the second prompt."""
    return before[1].files


IN_BETWEEN = {
    "b_edits": {"Add a docstring to cart": edited_by_hand},
    "c2_rewind_code": {"Tidy the readme": went_back},
}

ROUND, LOWER, ADD = "Round the total", "Lower the tax rate", "Add a discount module"

LEFT = ["Change two places", "Read all three", "Find the tests"]
"""What the older clients were asked and went back behind."""

ABANDONED = {
    "c1_rewind_conversation": [LOWER, ADD],
    "c9_rewind_to_start": [ROUND, LOWER, ADD],
    "c11_rewind_prompt_kill9": [LOWER, ADD],
    "v_2_1_100": LEFT,
    "v_2_1_100_compact": LEFT,
    "v_2_1_216_compact": [*LEFT, "/compact"],  # Whose row nothing hangs on.
    "v_2_1_263": LEFT,
}
COMPACTED = {
    "c4_summarize_from": [LOWER, ADD],
    "e1_compact_manual": [ROUND, LOWER, ADD],
    "e1b_compact_quit": [ROUND, LOWER, ADD],
    "e2_autocompact": [ROUND, "Fill the window"],
    "v_2_1_100_compact": [ROUND, LOWER, ADD, "Make a list", "Tidy the readme"],
    "v_2_1_216_compact": [ROUND, LOWER, ADD, "Make a list", "Tidy the readme"],
}
"""Prompts that cannot be gone back to: off the path; before a compaction, and not kept by it."""

UNKNOWN = {
    ("c1_rewind_conversation", ROUND): {"tax.py", "discount.py"},
    ("c4_summarize_from", ROUND): {"tax.py", "discount.py"},
    ("c11_rewind_prompt_kill9", ROUND): {"tax.py", "discount.py"},
}
"""Files first edited off the path, and later on it with a version above 1: left alone."""

SESSIONS = [
    pytest.param(name, path.name, id=f"{name}-{path.stem[:4]}" if name == "f1_branch" else name)
    for name in [
        "b_edits",
        "c1_rewind_conversation",
        "c2_rewind_code",
        "c4_summarize_from",
        "c7_rewind_then_quit",
        "c9_rewind_to_start",
        "c11_rewind_prompt_kill9",
        "d1_esc_mid_tool",
        "d1b_esc_mid_tool_then_prompt",
        "d3_kill_mid_tool",
        "d4_kill_after_prompt",
        "e1_compact_manual",
        "e1b_compact_quit",
        "e2_autocompact",
        "f1_branch",
        "g1_agent_foreground",
        "i1_titles_modes",
        "k1_parallel",
        "m3_model_switch",
        "n1_queue",
        "v_2_1_100",
        "v_2_1_100_compact",
        "v_2_1_216_compact",
        "v_2_1_263",
    ]
    for path in sorted(REAL.glob(f"{name}/projects/*/*.jsonl"))
]


class Foretold(NamedTuple):
    """What a preview says of one file, and what the file would hold: None for no file."""

    action: str
    document: bytes | None


def refusal(name: str, moment: Moment) -> str | None:
    """Why a prompt of a recording cannot be gone back to."""
    if moment.words in ABANDONED.get(name, ()):
        return "abandoned"
    return "compacted" if moment.words in COMPACTED.get(name, ()) else None


def by_thought(now: bytes | None, then: str | None) -> Foretold:
    """What bringing back a state makes of a file."""
    if then is None:
        return Foretold("unchanged" if now is None else "delete", b"")
    wanted = then.encode()
    if now is None:
        return Foretold("create", wanted)
    return Foretold("unchanged" if now == wanted else "overwrite", wanted)


def bytes_of(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def preview(server: ForkpointServer, session_id: str, prompt: str) -> Json:
    return server.result("rewindPreview", sessionId=session_id, prompt=prompt)


def foretold(server: ForkpointServer, file: Json) -> Foretold:
    document = file["document"]
    return Foretold(file["action"], None if document is None else content(server, document))


def as_it_ended(name: str, target: Path) -> Moved:
    """The recording with its working folder as the session left it."""
    here = moved(REAL / name, target)
    shutil.copytree(REAL / name / "cwd", here.cwd, dirs_exist_ok=True)
    return here


@pytest.mark.parametrize(("name", "transcript"), SESSIONS)
def test_every_prompt_brings_back_what_lay_there(
    server: ForkpointServer, tmp_path: Path, name: str, transcript: str
) -> None:
    here = as_it_ended(name, tmp_path)
    server.open(here.home)
    [path] = [each for each in here.transcripts if each.name == transcript]
    replayed = moments(path, str(here.cwd), IN_BETWEEN.get(name, {}))
    assert replayed
    for moment in replayed:
        code = preview(server, path.stem, moment.prompt)["code"]
        reason = refusal(name, moment)
        assert (code["available"], code["reason"]) == (reason is None, reason), moment.words
        if reason is None:
            unknown = UNKNOWN.get((name, moment.words), set())
            holds(server, here, moment, by_path(code["files"], here.cwd), unknown)


def holds(
    server: ForkpointServer, here: Moved, moment: Moment, files: dict[str, Json], unknown: set[str]
) -> None:
    """A preview says of each file what becomes of it by thought, and nothing else."""
    assert set(files) == set(moment.files), moment.words
    for path, then in moment.files.items():
        file, now = files[path], bytes_of(here.cwd / path)
        if path in unknown:
            left_alone = (file["action"], file["version"], file["document"])
            assert left_alone == ("unchanged", None, None), (moment.words, path)
            continue
        expected = by_thought(now, then)
        assert foretold(server, file) == expected, (moment.words, path)
        assert (file["added"], file["removed"]) == changed_lines(now or b"", (then or "").encode())
        assert (file["reason"], file["outsideWorkspace"]) == (None, False)
        assert (file["handEdited"], file["modeChanges"]) == (False, False), (moment.words, path)


# --- a rewind that was recorded --------------------------------------------------------------


def test_the_recorded_rewind_of_code_did_what_is_foretold(
    server: ForkpointServer, tmp_path: Path
) -> None:
    """Asked before it: the transcript ends at the third answer, the copies made later are gone.

    Afterwards the snapshot of the next prompt, and in the end the working folder, hold the result.
    """
    here = moved(REAL / "c2_rewind_code", tmp_path)
    [transcript] = here.transcripts
    lines = transcript.read_bytes().splitlines(keepends=True)
    before, after = lines[:58], list(map(json.loads, lines[58:]))
    replayed = moments(transcript, str(here.cwd), IN_BETWEEN["c2_rewind_code"])
    assert json.loads(before[-1])["type"] == "system"
    assert after[0]["message"]["content"] == "Tidy the readme"
    snapshot = next(row for row in after if row["type"] == "file-history-snapshot")
    results = snapshot["snapshot"]["trackedFileBackups"]
    copies = here.home / "file-history" / transcript.stem
    brought_back = {
        path: bytes_of(copies / entry["backupFileName"]) if entry["backupFileName"] else None
        for path, entry in results.items()
    }
    assert {path: bytes_of(REAL / "c2_rewind_code" / "cwd" / path) for path in results} == (
        brought_back
    )

    transcript.write_bytes(b"".join(before))
    (copies / results["tax.py"]["backupFileName"]).unlink()
    for path, text in edited_three_times(replayed).items():
        (here.cwd / path).write_text(text)
    server.open(here.home)
    code = preview(server, transcript.stem, replayed[1].prompt)["code"]
    files = by_path(code["files"], here.cwd)
    assert {path: file["action"] for path, file in files.items()} == {
        "cart.py": "unchanged",
        "tax.py": "overwrite",
        "discount.py": "delete",
    }
    for path, result in brought_back.items():
        assert foretold(server, files[path]).document == (result or b""), path


def edited_three_times(replayed: list[Moment]) -> dict[str, str]:
    """The files after the third answer, which no copy holds."""
    files = {**replayed[2].files, "discount.py": "def discount(x, p):\n    return x * (1 - p)\n"}
    return {path: text for path, text in files.items() if text is not None}


def test_a_copy_that_was_made_too_late_is_what_a_restore_writes(
    server: ForkpointServer, tmp_path: Path
) -> None:
    """2.0.76 kept cart.py and tax.py after its first edits: restoring them changes nothing."""
    here = as_it_ended("v_2_0_76", tmp_path)
    server.open(here.home)
    [transcript] = here.transcripts
    first = moments(transcript, str(here.cwd), {})[0]
    code = preview(server, transcript.stem, first.prompt)["code"]
    files = by_path(code["files"], here.cwd)
    assert {path: foretold(server, file) for path, file in files.items()} == {
        "cart.py": Foretold("unchanged", bytes_of(here.cwd / "cart.py")),
        "tax.py": Foretold("unchanged", bytes_of(here.cwd / "tax.py")),
        "discount.py": Foretold("delete", b""),
    }


# --- the conversation ------------------------------------------------------------------------

CONVERSATIONS = {
    "b_edits": (
        15322,
        [
            ("What does cart.py do?", (7, 18, 0, 0), None),
            (ROUND, (6, 17, 1, 1), 14034),
            (LOWER, (5, 14, 2, 4), 14261),
            (ADD, (4, 11, 3, 7), 14460),
            ("Add a docstring to cart", (3, 9, 4, 9), 14584),
            ("Use the discount in cart", (2, 7, 5, 11), 14835),
            ("Tidy the readme", (1, 3, 6, 15), 15129),
        ],
    ),
    "c1_rewind_conversation": (
        14428,
        [(ROUND, (2, 6, 0, 0), None), ("Tidy the readme", (1, 3, 1, 3), 14234)],
    ),
    "k1_parallel": (
        14674,
        [
            ("Read all three", (3, 6, 0, 0), None),
            ("Run two commands", (2, 4, 1, 2), 14222),
            ("Edit both files", (1, 2, 2, 4), 14444),
        ],
    ),
}
"""Counted by hand: tokens at the tip; and of each prompt on the path its words, prompts and
responses dropped, prompts and responses kept, and tokens of the last response in front of it."""


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_what_becomes_of_the_conversation(server: ForkpointServer, name: str) -> None:
    server.open(REAL / name)
    [transcript] = REAL.glob(f"{name}/projects/*/*.jsonl")
    tokens_now, prompts = CONVERSATIONS[name]
    uuids = {
        row["message"]["content"]: row["uuid"]
        for row in rows(transcript)
        if row["type"] == "user" and isinstance(row["message"]["content"], str)
    }
    for words, (prompts_dropped, responses_dropped, prompts_kept, responses_kept), after in prompts:
        assert preview(server, transcript.stem, uuids[words])["conversation"] == {
            "prompts": prompts_dropped,
            "responses": responses_dropped,
            "promptsKept": prompts_kept,
            "responsesKept": responses_kept,
            "tokensNow": tokens_now,
            "tokensAfter": after,
        }, words
