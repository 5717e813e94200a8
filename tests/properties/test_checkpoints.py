"""What holds for the versions and checkpoints of any transcript."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from forkpoint.checkpoints import Version
from forkpoint.going_back import going_back
from forkpoint.known_texts import is_known
from forkpoint.layout import parse_backup_name, tracked_file
from forkpoint.records.edits import Edit, Replacement, apply_edit
from forkpoint.records.record import Backup
from forkpoint.session import Conversation
from tests.builders import CWD, index_of, transcript
from tests.strategies import file_histories, files, transcripts

NAMES = ["u1", "a1", "u2", "a2", "u3", "a3"]
"""One branch is left, so that rows stand on the path and off it."""

conversations = (
    st.lists(file_histories(NAMES), max_size=8)
    .map(b"".join)
    .flatmap(
        lambda lines: st.sampled_from(
            [
                transcript("u1 a1 u2 a2 u3 a3") + lines,
                lines + transcript("u1 a1 u2 a2 | a1 u3 a3"),
                transcript("u1 a1 u2 a2") + lines + transcript("u3 a3"),
            ]
        )
    )
    | files
).map(lambda data: Conversation(index_of(data)))


def prompts_of(conversation: Conversation) -> list[str]:
    return [line.prompt for line in conversation.index.checkpoints.lines]


def says(backup: Backup, version: Version) -> bool:
    """Whether a version is what an entry says, and no more."""
    is_name = backup.name is not None and parse_backup_name(backup.name) is not None
    return (
        version.backup == (backup.name if is_name else None)
        and version.is_absent == (backup.state == "absent")
        and version.first == (backup.version == 1)
        and (version.time, version.real_parent) == (backup.time, backup.real_parent)
    )


@given(conversations)
def test_every_version_is_an_entry_of_its_file_and_stands_once(conversation: Conversation) -> None:
    backups = conversation.index.checkpoints.backups
    folders = list(conversation.index.summary.cwds)
    for path, versions in conversation.checkpoints().versions.items():
        own = [
            backup
            for backup in backups
            if path in {tracked_file(backup.path, folder) for folder in folders or [None]}
        ]
        for version in versions:
            assert any(says(backup, version) for backup in own)
        told = [(version.number, version.backup) for version in versions]
        assert len(told) == len(set(told))
        assert all(number >= 0 for number, _ in told)


@given(conversations)
def test_every_entry_is_a_version_of_some_file(conversation: Conversation) -> None:
    found = [each for some in conversation.checkpoints().versions.values() for each in some]
    for backup in conversation.index.checkpoints.backups:
        if backup.name is not None and parse_backup_name(backup.name) is not None:
            assert any(version.backup == backup.name for version in found)


@given(conversations)
def test_before_a_prompt_all_files_have_a_state(conversation: Conversation) -> None:
    checkpoints = conversation.checkpoints()
    assert checkpoints.before("nobody's") is None
    for prompt in prompts_of(conversation):
        state = checkpoints.before(prompt)
        assert state is not None
        assert list(state) == list(checkpoints.versions)


@given(conversations)
def test_checkpoints_follow_each_other_once(conversation: Conversation) -> None:
    prompts = list(dict.fromkeys(prompts_of(conversation)))
    following = [conversation.checkpoints().next_prompt(prompt) for prompt in prompts]
    assert following == [*prompts[1:], *([None] if prompts else [])]


@given(conversations)
def test_a_restore_uses_nothing_but_entries_of_the_path(conversation: Conversation) -> None:
    points = conversation.restore_points(CWD)
    nodes = conversation.index.nodes
    path = {nodes.uuid(row) for row, _ in conversation.path().entries}
    checkpoints = conversation.index.checkpoints
    usable = [
        (tracked_file(backup.path, CWD), backup)
        for line in checkpoints.lines
        if line.row in path
        for backup in map(checkpoints.backups.__getitem__, line.entries)
    ]
    for prompt in [*prompts_of(conversation), "nobody's"]:
        state = points.at(prompt)
        assert points.has(prompt) or state is None
        for file, version in (state or {}).items():
            backups = [backup for path_, backup in usable if path_ == file]
            assert backups
            assert version is None or any(says(backup, version) for backup in backups)


@given(files, transcripts())
def test_what_is_appended_takes_no_version_away(data: bytes, more: bytes) -> None:
    before = Conversation(index_of(data + b"\n")).checkpoints().versions
    after = Conversation(index_of(data + b"\n" + more)).checkpoints().versions
    if Conversation(index_of(data)).index.summary.cwds:
        for path, versions in before.items():
            kept = {(each.number, each.backup) for each in after.get(path, [])}
            assert {(each.number, each.backup) for each in versions} <= kept


@given(files)
def test_going_back_drops_or_keeps_each_row_of_the_path(data: bytes) -> None:
    conversation = Conversation(index_of(data))
    nodes = conversation.index.nodes
    rows = [row for row in range(len(nodes)) if nodes.is_node(row)]
    sums = set()
    for row in rows:
        back = going_back(conversation, row, None)
        sums.add(back.prompts + back.prompts_kept)
        assert min(back.prompts, back.prompts_kept, back.responses, back.responses_kept) >= 0
    assert len(sums) <= 1


texts = st.text("ab\r\n", max_size=8)


@example(before="\r\r\n", copies=[], old="\r", new="", everywhere=False)
@given(texts, st.lists(texts, max_size=3), texts, texts, st.booleans())
def test_what_the_agent_left_is_known(
    before: str, copies: list[str], old: str, new: str, everywhere: bool
) -> None:
    encoded = [copy.encode() for copy in copies]
    for copy in encoded:
        assert is_known(copy, encoded, [])
    edit = Edit("a", None, (Replacement(old, new, everywhere),))
    after = apply_edit(edit, before.replace("\r\n", "\n"))
    if after is not None:
        assert is_known(after.encode(), encoded, [(edit, before)])
        assert is_known(after.encode(), [before.encode(), *encoded], [(edit, None)])
