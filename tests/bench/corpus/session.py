"""A whole session: turns, rewinds, compactions, subagents, and the files beside the transcript."""

from __future__ import annotations

import os
from pathlib import Path

import orjson

from tests.bench.corpus.calls import answer_call, new_call
from tests.bench.corpus.text import WORDS, Texts, iso, uid
from tests.bench.corpus.transcript import Json, Transcript

_ATTACHMENTS = ["deferred_tools_delta", "task_reminder", "skill_listing", "environment", "file"]
_STATES = ["atis-latch", "cost-state", "permission-mode", "pr-link", "agent-name", "future-kind"]
_COMPACT_FROM = 160_000
_TORN_EVERY, _TORN_AT = 50, 7
"""One session of so many ends in a torn line."""


class Session(Transcript):
    """Writes a session below `projects/<key>`, and what belongs to it."""

    def __init__(
        self, texts: Texts, seed: int, number: int, cwd: str, project: Path, milliseconds: int
    ) -> None:
        super().__init__(texts, seed, str(number), cwd, milliseconds)
        self.seed, self.number, self.project = seed, number, project
        self.leaf: str | None = None
        self.compactions = self.rewinds = 0
        self.titles: list[str] = []
        self.subagents: list[Json] = []
        self.subagent_bytes = 0

    def run(self, target: int) -> Json:
        """Write about so many bytes; returns what is true of the session."""
        self.target = target
        self.project.mkdir(parents=True, exist_ok=True)
        path = self.project / f"{self.session_id}.jsonl"
        with path.open("wb", 1 << 20) as self.file:
            if self.rng.random() < 0.1:
                summary = self.text(60).replace("\n", " ")
                self.emit({"type": "summary", "summary": summary, "leafUuid": uid(self.rng)})
            while self.bytes + self.subagent_bytes < target:
                self._turn()
            if self.number % _TORN_EVERY == _TORN_AT:
                torn = f'{{"parentUuid":"{self.head}","isSidechain":fal'
                self.file.write(torn.encode())
        os.utime(path, (self.milliseconds / 1000, self.milliseconds / 1000))
        self._write_copies()
        self._write_spilled()
        return self._truth()

    # --- a turn ---

    def _turn(self) -> None:
        self._maybe_rewind()
        self._maybe_queue()
        self.prompt()
        self.snapshot(self.prompt_uuid)
        self._attachments()
        for _ in range(min(40, 1 + int(self.rng.expovariate(1 / 5)))):
            step(self)
            if self.bytes > self.target:
                break
        if self.rng.random() < 0.04 and self.target > 400_000:
            self._subagent()
        self.answer([{"type": "text", "text": self.text(self.size(900, 0.8, 40, 9000))}])
        self._end_of_turn()
        self._state_lines()
        if self.context > _COMPACT_FROM:
            self._compact()

    def _maybe_rewind(self) -> None:
        if len(self.prompt_parents) > 3 and self.rng.random() < 0.06:
            self.head = self.rng.choice(self.prompt_parents[-12:])
            self.rewinds += 1

    def _maybe_queue(self) -> None:
        if self.rng.random() < 0.08:
            now = {"timestamp": iso(self.milliseconds), "sessionId": self.session_id}
            content = self.text(self.rng.randrange(40, 3000))
            kind = {"type": "queue-operation"}
            self.emit({**kind, "operation": "enqueue", **now, "content": content})
            self.emit({**kind, "operation": "dequeue", **now})

    def _attachments(self) -> None:
        for _ in range(self.rng.randrange(0, 3)):
            kind = self.rng.choice(_ATTACHMENTS)
            content = self.text(self.size(500, 1.0, 30, 20_000))
            body = {"attachment": {"type": kind, "content": content}, "type": "attachment"}
            self.chain(body)

    def _end_of_turn(self) -> None:
        duration = self.rng.randrange(900, 900_000)
        kind = {"type": "system", "subtype": "turn_duration"}
        self.chain({**kind, "durationMs": duration, "isMeta": False})
        if self.rng.random() < 0.3:
            hook: Json = {
                "type": "system",
                "subtype": "stop_hook_summary",
                "hookCount": 1,
                "hookInfos": [{"command": "check"}],
                "hookErrors": [],
                "preventedContinuation": False,
                "stopReason": "",
                "hasOutput": False,
                "level": "suggestion",
                "toolUseID": uid(self.rng),
            }
            self.chain(hook)
        self.leaf = self.head

    def _state_lines(self) -> None:
        rng, of = self.rng, {"sessionId": self.session_id}
        pointer = {"lastPrompt": self.last_text[:200], "leafUuid": self.leaf}
        self.emit({"type": "last-prompt", **pointer, **of})
        if rng.random() < 0.8:
            self.emit({"type": "mode", "mode": "normal", **of})
        if rng.random() < 0.8 or not self.titles:
            self.titles.append(" ".join(rng.choices(WORDS, k=5)))
            self.emit({"type": "ai-title", "aiTitle": self.titles[-1], **of})
        if rng.random() < 0.02:
            self.emit({"type": "custom-title", "customTitle": f"my {rng.choice(WORDS)}", **of})
        if rng.random() < 0.05:
            self._rare_state()

    def _rare_state(self) -> None:
        kind = self.rng.choice(_STATES)
        pull = "https://example.invalid/o/r/pull/7"
        link = {"prNumber": 7, "prUrl": pull, "prRepository": "o/r"}
        fields: dict[str, Json] = {
            "atis-latch": {"atis": ""},
            "cost-state": {"totalCostUSD": 0.5, "totalDuration": 1000},
            "permission-mode": {"permissionMode": "acceptEdits"},
            "pr-link": {**link, "timestamp": iso(self.milliseconds)},
            "agent-name": {"agentName": "reader"},
            "future-kind": {"value": {"uuid": uid(self.rng)}},
        }
        self.emit({"type": kind, **fields[kind], "sessionId": self.session_id})

    def _compact(self) -> None:
        trigger = self.rng.choice(["auto", "manual"])
        boundary: Json = {
            "type": "system",
            "subtype": "compact_boundary",
            "content": "Conversation compacted",
            "isMeta": False,
            "level": "info",
            "compactMetadata": {"trigger": trigger, "preTokens": self.context},
            "logicalParentUuid": self.leaf,
        }
        root = self.chain(boundary, parent=None)
        text = self.text(self.rng.randrange(4000, 18_000))
        body = {"type": "user", "message": {"role": "user", "content": text}}
        self.chain(body, {"isVisibleInTranscriptOnly": True, "isCompactSummary": True}, root)
        self.prompt_parents = []
        self.context = self.rng.randrange(15_000, 40_000)
        self.compactions += 1

    # --- files beside it ---

    def _subagent(self) -> None:
        rng = self.rng
        name = f"{self.number}-{len(self.subagents)}"
        sub = Transcript(self.texts, self.seed, name, self.cwd, self.milliseconds)
        sub.session_id, sub.agent = self.session_id, f"a{rng.getrandbits(60):015x}"
        sub.newer, sub.version = self.newer, self.version
        sub.target = int(min(self.target * 0.15, self.size(120_000, 0.9, 8_000, 3_000_000)))
        folder = self.project / self.session_id / "subagents"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"agent-{sub.agent}.jsonl"
        with path.open("wb", 1 << 20) as sub.file:
            sub.prompt(side=True)
            while sub.bytes < sub.target:
                step(sub, side=True)
            sub.answer([{"type": "text", "text": self.text(900)}], side=True)
        about = {"agentType": "Explore", "description": self.text(40)}
        about["toolUseId"] = f"toolu_01{rng.getrandbits(96):024x}"
        path.with_suffix(".meta.json").write_bytes(orjson.dumps(about))
        os.utime(path, (sub.milliseconds / 1000, sub.milliseconds / 1000))
        self.subagents.append({"agent": sub.agent, "lines": sub.lines, "bytes": sub.bytes})
        self.subagent_bytes += sub.bytes

    def _write_copies(self) -> None:
        if not self.backups:
            return
        folder = self.project.parents[1] / "file-history" / self.session_id
        folder.mkdir(parents=True, exist_ok=True)
        for name in self.backups[-100:]:
            text = self.text(self.size(3000, 0.9, 100, 30_000))
            (folder / name).write_bytes(text.encode())

    def _write_spilled(self) -> None:
        rng = self.rng
        if self.target > 300_000 and rng.random() < 0.5:
            folder = self.project / self.session_id / "tool-results"
            folder.mkdir(parents=True, exist_ok=True)
            for _ in range(rng.randrange(1, 6)):
                path = folder / f"toolu_01{rng.getrandbits(96):024x}.txt"
                path.write_bytes(self.text(rng.randrange(30_000, 300_000)).encode())

    def _truth(self) -> Json:
        children: dict[str | None, int] = {}
        for parent in self.parents.values():
            children[parent] = children.get(parent, 0) + 1
        tokens = [sum(column) for column in zip(*self.usage.values(), strict=True)]
        return {
            "sessionId": self.session_id,
            "dir": self.project.name,
            "bytes": self.bytes,
            "lines": self.lines,
            "chain": len(self.parents),
            "leaf": self.leaf,
            "activeLen": self._depth(self.leaf),
            "forks": sum(count > 1 for parent, count in children.items() if parent),
            "roots": children.get(None, 0),
            "rewinds": self.rewinds,
            "compactions": self.compactions,
            "snapshots": self.snapshots,
            "prompts": self.prompts,
            "responses": len(self.usage),
            "usage": dict(zip(("in", "out", "cacheRead", "cacheCreate"), tokens, strict=True)),
            "tools": self.tools,
            "title": self.titles[-1],
            "backups": len(self.backups),
            "subagents": self.subagents,
        }

    def _depth(self, uuid: str | None) -> int:
        depth = 0
        while uuid is not None:
            depth += 1
            uuid = self.parents[uuid]
        return depth


def step(on: Transcript, side: bool = False) -> None:
    """One answer with its calls, and their results; several calls fork the tree."""
    rng = on.rng
    blocks: list[Json] = []
    if rng.random() < 0.35:
        thought = on.text(on.size(700, 0.9, 50, 8000))
        signature = on.texts.base64[: rng.randrange(300, 1600)]
        blocks.append({"type": "thinking", "thinking": thought, "signature": signature})
    if rng.random() < 0.5:
        blocks.append({"type": "text", "text": on.text(on.size(300, 0.9, 20, 6000))})
    count = 1 if rng.random() < 0.88 else rng.randrange(2, 5)
    calls = [new_call(on) for _ in range(count)]
    uuids = on.answer(blocks + [call.block for call in calls], side)
    for uuid, call in zip(uuids[-count:], calls, strict=True):
        answer_call(on, call, uuid, side)
    if rng.random() < 0.25 and not side:
        reminder = {"type": "total_tokens_reminder", "used": on.context, "total": 200000}
        on.chain({"attachment": reminder, "type": "attachment"})
