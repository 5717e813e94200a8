"""Random rollouts of Codex."""

from __future__ import annotations

import msgspec
from hypothesis import strategies as st

from forkpoint.records.codex import EVENTS, ITEMS, KNOWN_LINES
from forkpoint.records.rollout_shapes import PayloadShape
from tests.builders import transcript
from tests.rollouts import (
    Json,
    calls,
    context,
    counts,
    event,
    header,
    item,
    message,
    output,
    patches,
    rollout,
    says,
    tokens,
    user,
)

_said = st.sampled_from(["Go on", "Another way", "<environment_context>", "", "é 🌱"])
_call_ids = st.sampled_from(["call_1", "call_2", "call_3"])
_totals = st.sampled_from([100, 100, 250, 400, 90])
_PATCH = "*** Begin Patch\n*** Add File: a.py\n+1\n*** Delete File: b.py\n*** End Patch"
_rollout_lines: st.SearchStrategy[list[Json]] = st.one_of(
    _said.map(lambda text: [message("user", text)]),
    _said.map(lambda text: [event("user_message", message=text)]),
    st.builds(user, _said),
    st.builds(says, _said),
    _said.map(lambda text: [event("agent_message", message=text)]),
    _said.map(lambda text: [message("assistant", text, text)]),
    _said.map(lambda text: [message("developer", text)]),
    _said.map(lambda text: [event("agent_reasoning", text=text)]),
    st.builds(
        lambda text: [item("reasoning", summary=[{"type": "summary_text", "text": text}])], _said
    ),
    _call_ids.map(lambda call_id: [calls("shell", call_id, command=["ls"])]),
    _call_ids.map(lambda call_id: [patches(call_id, _PATCH)]),
    _call_ids.map(lambda call_id: [output(call_id, "Exit code: 1\n")]),
    _call_ids.map(
        lambda call_id: [event("patch_apply_end", call_id=call_id, success=False, changes={})]
    ),
    _totals.map(lambda total: [tokens(counts(total), counts(total // 2))]),
    st.builds(lambda count: [event("thread_rolled_back", num_turns=count)], st.integers(-1, 4)),
    st.sampled_from(
        [
            [header()],
            [header("0199b702-0000-739e-9baf-a228c9d0f77c")],
            [header(forked_from_id="0199b702-0000-739e-9baf-a228c9d0f77c")],
            [context()],
            [context(turn_id="0199b703-0000-7000-8000-000000000000")],
            [event("task_started")],
            [event("task_complete")],
            [event("turn_aborted", reason="interrupted")],
            [message("user", "<turn_aborted>\nstopped")],
            [item("web_search_call", action={"type": "search", "query": "x"})],
            [event("web_search_end", call_id="ws_1", query="x")],
            [tokens(None)],
            [{"type": "token_usage_record", "payload": {"usage": counts(50)}}],
            [{"type": "compacted", "payload": {"message": "So far", "replacement_history": []}}],
            [event("context_compacted")],
            [event("something_new", value=1)],
            [{"type": "something_new", "payload": {"type": 3}}],
            [{"type": "message", "role": "user", "content": "bare"}],
            [{"record_type": "state"}],
            [item("function_call", name=7, arguments={"a": []}, call_id=None)],
            [event("token_count", info={"total_token_usage": {"input_tokens": "many"}})],
        ]
    ),
)
rollouts = st.builds(
    lambda lines, end: rollout(*lines) + end,
    st.lists(_rollout_lines, max_size=24),
    st.sampled_from(
        [b"", b"", b"{", b'{"timestamp":"2026-09-01T10:00:00Z","type":"event_msg","pa', b"null\n"]
    )
    | st.sampled_from(transcript("u1 a1").splitlines()),
)
"""Rollouts of Codex with lines of every kind in any order, some of them torn at their end."""

_payload_names = sorted(field.encode_name for field in msgspec.structs.fields(PayloadShape))
_words = st.sampled_from(["message", "user", "assistant", '{"output": 1}', "[]"])
_odd_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | _words,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*_payload_names, "type", "text"]), inner, max_size=4)
    ),
    max_leaves=8,
)
_kinds = st.sampled_from(sorted(ITEMS | EVENTS))
rollout_objects: st.SearchStrategy[Json] = st.builds(
    lambda kind, subtype, fields: {"type": kind, "payload": {"type": subtype, **fields}},
    st.sampled_from(sorted(KNOWN_LINES)),
    _kinds,
    st.dictionaries(st.sampled_from(_payload_names[1:]), _odd_values, max_size=6),
)
"""Lines of any type with the fields of any other, and any values in them."""
