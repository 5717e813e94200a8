"""Which versions had a file that Codex patched, as far as patches, reads and the disk tell?

Codex keeps no file backups. What a patch wrote whole, or deleted and told, is recorded, and what a
read showed whole; a read of some lines only says whether a version can be the right one. From there
patches lead forward; from the file on disk, or from what was recorded later, they lead backward.
Where a patch does not fit, something else changed the file in between: then nothing is guessed, and
what can be told of the file as the next patch found it is a version of its own.

Codex does not undo changes of files when turns are rolled back, so those count like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from forkpoint.line_changes import Changes, line_changes
from forkpoint.patch_backward import undone
from forkpoint.patch_forward import Done, Unfit, applied
from forkpoint.rebuilt_state import KEPT_AT_MOST, Keeper, Known, Obtained, State, content_of
from forkpoint.records.file_changes import FileChange
from forkpoint.shell_reads import Seen, shows
from forkpoint.worded import counted, joined, say

FOUND = say("The file as it was found when it was deleted.")
READ = say("The file as it was read.")
READ_OTHER = say("The file as it was read, which is not as the step before left it.")
READ_OTHER_LINES = say("Some lines were read that are not as the step before left them.")
CONFIRMED = say("A later read showed the same.")


class PatchStep(msgspec.Struct, frozen=True):
    """A call that changed a file, or one that showed it.

    Attributes:
        change: what it did; None = it only read the file.
        row: uuid of the record with the call.
        prompt: uuid of the prompt it belongs to, if it is known.
        time: ms since 1970, or `NO_TIME`.
        call_id: the call.
        rolled_back: its turn was rolled back; the file was not.
        succeeded: False = it changed nothing; None = nothing tells.
        seen: the file, or some lines of it, as a read showed them.
    """

    change: FileChange | None
    row: str = ""
    prompt: str | None = None
    time: int = 0
    call_id: str = ""
    rolled_back: bool = False
    succeeded: bool | None = True
    seen: Seen | None = None


class OnDisk(msgspec.Struct, frozen=True):
    """The file now.

    Attributes:
        state: unread = it cannot be told, or is no text in UTF-8.
        text: its text, a byte order mark included.
    """

    state: Literal["text", "absent", "unread"]
    text: str | None = None


ABSENT, UNREAD = OnDisk("absent"), OnDisk("unread")


class RebuiltVersion(msgspec.Struct, frozen=True):
    """A version of a file.

    Attributes:
        step: number of the step that led to it, or that found it; None = before the first.
        is_found: it is what that step found, and no step of these left it so.
        obtained: recorded = all of it stands in the transcript; forward = from a recorded content
            by patches; backward = by undoing patches, from the file on disk or from what was
            recorded later; unknown = neither fits.
        why: a sentence on that.
        exists: whether there was a file; None = unknown.
        size: bytes of its content.
        changes: lines that the step added and removed; None where no patch tells.
        was_changed: whether something else changed the file before the next step, or before now.
    """

    step: int | None
    is_found: bool
    obtained: Obtained
    why: str
    exists: bool | None
    size: int | None
    changes: Changes | None
    was_changed: bool | None


class Rebuilt:
    """The versions of a file, oldest first.

    Attributes:
        versions: what is known of each.
        agrees: whether the file on disk is the newest version; None = nothing tells.
    """

    def __init__(self, states: Sequence[State], steps: Sequence[PatchStep]) -> None:
        self._states = states
        self.versions = [_version(state, steps) for state in states]
        last = states[-1] if states else None
        changed = None if last is None else last.was_changed
        self.agrees = None if changed is None else not changed

    def content(self, number: int) -> str | None:
        """Return the text of a version by its place; None where it has or is known to have none."""
        content = content_of(self._states[number])
        return None if content is None else content.text


def rebuilt(steps: Sequence[PatchStep], now: OnDisk, kept_at_most: int = KEPT_AT_MOST) -> Rebuilt:
    """Return the versions of a file.

    Args:
        steps: what was done to it, in order, whatever its name was then; those that failed count
            for nothing.
        now: the file as it is on disk.
        kept_at_most: characters of texts that are kept; others are made anew when asked for.
    """
    if not any(step.change is not None and step.succeeded is not False for step in steps):
        return Rebuilt((), steps)
    states = _forward(steps, Keeper(kept_at_most))
    _compare(states[-1], steps, now)
    states = _backward(states, steps, Keeper(kept_at_most))
    first = states[0]
    # Who wrote a file whole says nothing of what was there, which is mostly nothing.
    if not first.is_known and (len(states) == 1 or _writes_whole(steps, states[1])):
        states = states[1:]
        if states and states[0].obtained == "recorded":
            states[0].why = say(
                "The patch wrote the whole file; what was there before is not recorded."
            )
    return Rebuilt(states, steps)


# --- forward ------------------------------------------------------------------------------------


def _forward(steps: Sequence[PatchStep], keeper: Keeper) -> list[State]:
    states = [State(None, why=say("Nothing before the first patch is recorded."))]
    for number, step in enumerate(steps):
        if step.succeeded is False:
            continue
        if step.change is None:
            if step.seen is not None:
                _read(states, number, step.seen)
            continue
        told = step.change.content if step.change.kind == "delete" and step.succeeded else None
        if told is not None:
            _find(states, number, Done(told), FOUND, FOUND)
        made = _led_to(states[-1], number, step)
        if states[-1].obtained == "forward":
            keeper.keep(states[-1])
        states.append(made)
    return states


def _find(states: list[State], number: int, found: Done, why: str, other: str) -> None:
    """A step tells the whole file as it was before it; `other` says so where that is another."""
    last = states[-1]
    known = content_of(last) if last.is_known else None
    if last.is_known:
        last.was_changed = not _same(known, found)
        if not last.was_changed and (known is None or not known.unsure or found.unsure):
            return
        if last.was_changed:
            states.append(last := State(number, is_found=True))
            why = other
    last.know("recorded", found, joined([why, found.unsure or ""]))
    last.found_by = number


def _same(known: Known, other: Done) -> bool:
    """Whether two contents differ in no more than what one of them does not tell."""
    if known is None:
        return False
    is_unsure = known.unsure is not None or other.unsure is not None
    return known.text == other.text or (is_unsure and _loosely(known.text) == _loosely(other.text))


def _read(states: list[State], number: int, seen: Seen) -> None:
    """A read shows the file as the step before left it, or as something else did since."""
    last = states[-1]
    if seen.text is not None:
        _find(states, number, Done(seen.text, seen.unsure), READ, READ_OTHER)
    elif last.is_known:
        known = content_of(last)
        last.was_changed = _contradicts(seen, None if known is None else known.text)
        if last.was_changed:
            states.append(State(number, is_found=True, why=READ_OTHER_LINES))
    if last.obtained == "forward" and last.was_changed is False:
        last.why = last.why if last.why.endswith(CONFIRMED) else joined([last.why, CONFIRMED])


def _contradicts(seen: Seen | None, text: str | None) -> bool:
    """Whether a read of some lines shows that the file held something else."""
    return seen is not None and seen.text is None and (text is None or not shows(text, seen))


def _led_to(before: State, number: int, step: PatchStep) -> State:
    state = State(number, change=step.change)
    assert step.change is not None
    if step.succeeded is None:
        state.why = say("Nothing tells whether this patch was applied.")
        return state
    if step.change.kind != "update":
        made = applied(step.change, "")
        if step.change.kind == "delete":
            state.know("recorded", Done(None), say("The patch deleted the file."))
        elif isinstance(made, Done):
            state.know("recorded", made, say("The patch wrote the whole file."))
        return state
    content = content_of(before) if before.is_known else None
    if content is None:
        state.why = say("What the file held before is not known.")
        return state
    made = applied(step.change, content.text)
    if isinstance(made, Unfit):
        before.was_changed = None if content.unsure else True
        state.why = made.why
        return state
    state.source, state.patches = before, before.patches + 1
    unsure = made.unsure or content.unsure
    before.was_changed = False
    state.know("forward", Done(made.text, unsure))
    told = say(
        "From what was recorded, by {patches}, if nothing else changed it.",
        patches=_patches(state.patches),
    )
    state.why = joined([told, unsure or ""])
    return state


# --- backward -----------------------------------------------------------------------------------


def _compare(last: State, steps: Sequence[PatchStep], now: OnDisk) -> None:
    """Compare the newest state with the file on disk, or take it for that file."""
    if now.state == "unread":
        return
    if not last.is_known:
        # Of a patch that may not have been applied the file tells nothing.
        told = None if last.step is None else steps[last.step]
        if told is None or _contradicts(told.seen, now.text):
            return
        if told.succeeded:
            last.know("backward", Done(now.text), _from_disk(0))
            last.from_disk, last.found_by = True, len(steps)
        return
    content = content_of(last)
    text = None if content is None else content.text
    unsure = content is not None and content.unsure is not None
    if text != now.text and unsure and _loosely(text) == _loosely(now.text):
        last.was_changed = None
    else:
        last.was_changed = text != now.text


def _loosely(text: str | None) -> str | None:
    """A text without what releases of Codex differ in."""
    return None if text is None else text.replace("\r\n", "\n").rstrip("\n")


def _backward(states: list[State], steps: Sequence[PatchStep], keeper: Keeper) -> list[State]:
    """Go back from the newest state, as far as changes can be undone."""
    newest_first: list[State] = []
    waiting = list(states)
    while waiting:
        state = waiting.pop()
        if waiting and not state.is_found and state.source is not waiting[-1]:
            newest_first += _go_back(state, waiting, steps)
        if state.obtained == "backward" and state.source is not None:
            keeper.keep(state)
        newest_first.append(state)
    return newest_first[::-1]


def _go_back(state: State, waiting: list[State], steps: Sequence[PatchStep]) -> list[State]:
    """Tell by a state what its change found, which is mostly what the step before left.

    Where it is not, it becomes the newest of those that wait. What turns out not to be what its own
    step left is given back: it lies between this state and the next.
    """
    before = waiting[-1]
    step = steps[state.step or 0]
    content = content_of(state)
    if content is None or step.change is None:
        return []
    if step.succeeded is None:
        before.why = (
            before.why if before.is_known else say("Nothing tells whether a patch was applied.")
        )
        return []
    made = undone(step.change, content.text)
    if isinstance(made, Unfit):
        before.why = before.why if before.is_known else made.why
        return _refuted(state, made.why) if made.is_other and state.found_by is not None else []
    if before.is_known:
        known = content_of(before)
        before.was_changed = not _same(known, made)
        if not before.was_changed:
            return []
        waiting.append(before := State(state.step, is_found=True))
    elif before.step is not None and _contradicts(steps[before.step].seen, made.text):
        before.was_changed = True
        return []
    before.know("backward", made)
    before.source, before.change, before.found_by = state, step.change, state.step
    before.patches, before.from_disk = state.patches + 1, state.from_disk
    told = say(
        "From what was recorded later, by undoing {patches}, if nothing else changed it.",
        patches=_patches(before.patches),
    )
    told = _from_disk(before.patches) if before.from_disk else told
    before.why = joined([told, made.unsure or ""])
    return []


def _refuted(state: State, why: str) -> list[State]:
    """The state is not what its step left, but what a later one, or who looks now, found."""
    found = replace(state, step=state.found_by, is_found=True)
    was_on_disk = state.from_disk and state.patches == 0
    state.obtained, state.why, state.was_changed = "unknown", why, True
    state.content = state.source = state.exists = state.size = None
    return [] if was_on_disk else [found]


def _from_disk(patches: int) -> str:
    if not patches:
        return say("The file on disk, if nothing else changed it since.")
    return say(
        "From the file on disk, by undoing {patches}, if nothing else changed it.",
        patches=_patches(patches),
    )


def _patches(count: int) -> str:
    return counted(count, "{count} patch", "{count} patches")


# --- what is told -------------------------------------------------------------------------------


def _writes_whole(steps: Sequence[PatchStep], state: State) -> bool:
    change = None if state.step is None or state.is_found else steps[state.step].change
    return change is not None and change.kind == "add"


def _version(state: State, steps: Sequence[PatchStep]) -> RebuiltVersion:
    change = None if state.step is None or state.is_found else steps[state.step].change
    return RebuiltVersion(
        state.step,
        state.is_found,
        state.obtained,
        state.why,
        state.exists,
        state.size,
        None if change is None else changed_lines(change),
        state.was_changed,
    )


def changed_lines(change: FileChange) -> Changes | None:
    """Count the lines that a change adds and removes; None where it does not tell."""
    counted: list[Changes | None] = []
    if change.kind == "update":
        counted = [_between("\n".join(h.old), "\n".join(h.new)) for h in change.hunks]
    elif change.content is not None:
        texts = ("", change.content) if change.kind == "add" else (change.content, "")
        counted = [_between(*texts)]
    else:
        return None
    known = [each for each in counted if each is not None]
    if len(known) < len(counted):
        return None
    return Changes(sum(each.added for each in known), sum(each.removed for each in known))


def _between(before: str, after: str) -> Changes | None:
    return line_changes(before.encode("utf-8", "replace"), after.encode("utf-8", "replace"))
