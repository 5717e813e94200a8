"""The active path: its leaf, and why there, in words."""

from __future__ import annotations

from forkpoint.leaf import NIL
from forkpoint.protocol import types
from forkpoint.session import ActivePath, Conversation
from forkpoint.tip import Repair
from forkpoint.worded import counted, joined, say


def leaf_of(conversation: Conversation, path: ActivePath, version: str | None) -> types.Leaf:
    """Return the leaf with the rule that chose it."""
    nodes = conversation.index.nodes
    rule = _rule(conversation, path)
    tips = [nodes.uuid(row) or "" for row in conversation.other_tips(version)]
    return types.Leaf(
        uuid=None if path.end is None else nodes.uuid(path.end),
        ordinal=path.end,
        rule=rule,
        pointer=path.leaf.pointer,
        sentence=_sentence(conversation, path, rule),
        other_tips=tips,
    )


def _rule(conversation: Conversation, path: ActivePath) -> types.LeafRule:
    """A plain pointer's own record is the leaf only if nothing trails it."""
    rule = path.leaf.rule
    if rule not in ("pointer", "pointerDescendant") or path.end is None:
        return rule
    pointed = conversation.index.nodes.find(path.leaf.pointer)
    return "pointer" if pointed == path.end else "pointerDescendant"


def _sentence(conversation: Conversation, path: ActivePath, rule: types.LeafRule) -> str:
    if conversation.index.agent == "codex" and rule in _OF_CODEX:
        return _OF_CODEX[rule]
    if path.end is None:
        return _EMPTY.get(rule, say("The file holds no message to go on from."))
    return joined([_SENTENCES[rule], _about_pointer(conversation, path, rule)])


def _about_pointer(conversation: Conversation, path: ActivePath, rule: types.LeafRule) -> str:
    """Say what became of a stored pointer that did not decide."""
    pointer = path.leaf.pointer
    if pointer is None or rule not in ("lastRecord", "pointerDescendant"):
        return ""
    if pointer == NIL:
        return say("The stored pointer was withdrawn by a rewind.")
    pointed = conversation.index.nodes.find(pointer)
    if pointed is None:
        return say("The stored pointer names a record that is not in the file.")
    if rule == "pointerDescendant" and path.end is not None and path.end > pointed:
        behind = path.end - pointed
        one = "The pointer is {count} record older."
        return counted(behind, one, "The pointer is {count} records older.")
    return ""


_SENTENCES: dict[types.LeafRule, str] = {
    "pointer": say("The client's stored pointer names this record."),
    "pointerDescendant": say("This record comes after the one that the stored pointer names."),
    "explicitPointer": say("The client's pointer was set to this place on purpose."),
    "lastRecord": say("This is the last record of the conversation in the file."),
    "newestTimestamp": say("Clients up to 2.1.100 go on at the record with the newest time."),
    "cleared": say("The conversation was cleared."),
    "requested": say("This is the record that was asked for."),
}
_LAST = _SENTENCES["lastRecord"]
_OF_CODEX: dict[types.LeafRule, str] = {
    "explicitPointer": say("Turns were taken back to this record."),
    "pointerDescendant": _LAST,
    "pointer": _LAST,
    "cleared": say("All turns were taken back: the next prompt begins anew."),
}
"""Codex has no pointers: where turns were taken back to is told by how many those were."""
_EMPTY: dict[types.LeafRule, str] = {
    "cleared": say("The conversation was cleared: the next prompt begins a new one."),
    "explicitPointer": say(
        "The pointer names a subagent's record: the client finds no conversation."
    ),
}


def repair_of(conversation: Conversation, repair: Repair) -> types.Repair:
    """Return what a resume would add or change, in words."""
    uuid = conversation.index.nodes.uuid(repair.row)
    return types.Repair(kind=repair.kind, uuid=uuid, sentence=_REPAIRS[repair.kind])


_REPAIRS: dict[types.RepairKind, str] = {
    "syntheticToolResult": say("This call has no result: a resume adds one that says so."),
    "noResponsePlaceholder": say(
        "Nothing answers this record: a resume adds the note “No response requested.”"
    ),
    "droppedCall": say("This call has no result: a resume leaves it out of the request."),
    "bridgedGap": say(
        "The parent of this record is missing: the client goes on at the record written just "
        "before it, which may lie on another branch."
    ),
    "cutAtGap": say(
        "The parent of this record is missing and nothing was written in the five seconds "
        "before it: older records are not sent."
    ),
}
