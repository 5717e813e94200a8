"""One transcript as it is written: records with their places in a tree, and the truth of it."""

from __future__ import annotations

import hashlib
from random import Random
from typing import IO, Any

import orjson

from tests.bench.corpus.text import WORDS, Texts, iso, skewed, uid

Json = dict[str, Any]

_HEAD: Any = object()
"""Stands for "hang it on the newest record"; None is a root."""


class Transcript:
    """Writes records of one session or one subagent, and remembers what a reader must find.

    Attributes:
        newer: newer releases write the fields that all records share behind the message.
        agent: the subagent's id where this is a subagent's.
        parents: uuid -> the uuid it hangs on.
        usage: message id -> tokens in, out, read from and written to the cache.
        context: tokens of the next request's prefix.
    """

    file: IO[bytes]
    agent = ""
    prompt_id = ""
    target = 0

    def __init__(self, texts: Texts, seed: int, name: str, cwd: str, milliseconds: int) -> None:
        self.texts, self.cwd, self.milliseconds = texts, cwd, milliseconds
        self.rng = rng = Random(f"{seed}-session-{name}")
        self.session_id = uid(rng)
        self.newer = rng.random() < 0.7
        patch = rng.randrange(200, 300) if self.newer else rng.randrange(10, 77)
        self.version = f"2.1.{patch}" if self.newer else f"2.0.{patch}"
        self.branch = rng.choice(["main", "dev", "feat/tree-view", "fix-cache"])
        self.model = rng.choice(["claude-opus-4-8", "claude-sonnet-4-6", "claude-fable-5-1"])
        self.head: str | None = None
        self.parents: dict[str, str | None] = {}
        self.tracked: dict[str, Json] = {}
        self.backups: list[str] = []
        self.files = [_file_name(rng, number) for number in range(rng.randrange(3, 60))]
        self.lines = self.bytes = self.snapshots = self.prompts = 0
        self.usage: dict[str, tuple[int, int, int, int]] = {}
        self.tools: dict[str, int] = {}
        self.prompt_parents: list[str | None] = []
        self.prompt_uuid = ""
        self.last_text = ""
        self.context = rng.randrange(12_000, 30_000)

    def text(self, length: int) -> str:
        return self.texts.text(self.rng, length)

    # --- lines ---

    def emit(self, record: Json) -> None:
        data = orjson.dumps(record) + b"\n"
        self.file.write(data)
        self.lines += 1
        self.bytes += len(data)

    def _shared(self) -> Json:
        return {
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self.cwd,
            "sessionId": self.session_id,
            "version": self.version,
            "gitBranch": self.branch,
        }

    def chain(
        self,
        body: Json,
        tail: Json | None = None,
        parent: str | None = _HEAD,
        side: bool = False,
        *,
        of_prompt: bool = False,
    ) -> str:
        """Write one record of the tree and return its uuid.

        `body` are the keys up to type and message, `tail` those behind the timestamp.
        """
        uuid = uid(self.rng)
        parent = self.head if parent is _HEAD else parent
        self.milliseconds += self.rng.randrange(20, 4000)
        record: Json = {"parentUuid": parent, "isSidechain": side}
        if of_prompt and self.newer:
            record["promptId"] = self.prompt_id
        if side:
            record["agentId"] = self.agent
        if not self.newer:
            record |= self._shared()
        record |= {**body, "uuid": uuid, "timestamp": iso(self.milliseconds), **(tail or {})}
        if self.newer:
            record |= self._shared()
        self.emit(record)
        self.parents[uuid] = parent
        self.head = uuid
        return uuid

    # --- what prompts and answers bring with them ---

    def prompt(self, side: bool = False) -> None:
        self.prompt_id = uid(self.rng)
        self.prompt_parents.append(self.head)
        text = self.text(self.size(220, 1.1, 10, 9000))
        body = {"type": "user", "message": {"role": "user", "content": text}}
        tail = None if side else {"permissionMode": "default"}
        self.prompt_uuid = self.chain(body, tail, side=side, of_prompt=True)
        self.prompts += 1
        self.last_text = text

    def size(self, median: int, sigma: float, low: int, high: int) -> int:
        return skewed(self.rng, median, sigma, low, high)

    def answer(self, blocks: list[Json], side: bool = False) -> list[str]:
        """One response: a line per content block, each with the same id and usage."""
        rng = self.rng
        message_id = f"msg_01{rng.getrandbits(100):025x}"
        request_id = f"req_01{rng.getrandbits(90):023x}"
        usage = self._usage(message_id)
        uuids: list[str] = []
        for number, block in enumerate(blocks, 1):
            reason = "tool_use" if block["type"] == "tool_use" else "end_turn"
            message = {
                "model": self.model,
                "id": message_id,
                "type": "message",
                "role": "assistant",
                "content": [block],
                "stop_reason": reason if number == len(blocks) else None,
                "stop_sequence": None,
                "usage": usage,
            }
            body = {"message": message, "requestId": request_id, "type": "assistant"}
            uuids.append(self.chain(body, side=side))
        return uuids

    def _usage(self, message_id: str) -> Json:
        written = self.rng.randrange(200, 6000)
        output = self.rng.randrange(20, 1500)
        fresh, read = self.rng.randrange(1, 12), self.context
        self.context += written
        self.usage[message_id] = (fresh, output, read, written)
        lifetimes = {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": written}
        return {
            "input_tokens": fresh,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": read,
            "cache_creation": lifetimes,
            "output_tokens": output,
            "service_tier": "standard",
            "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
            "inference_geo": "not_available",
        }

    # --- checkpoints ---

    def snapshot(self, message_id: str, update: bool = False) -> None:
        self.snapshots += 1
        snapshot = {
            "messageId": message_id,
            "trackedFileBackups": dict(self.tracked),
            "timestamp": iso(self.milliseconds),
        }
        kind = {"type": "file-history-snapshot", "messageId": message_id}
        self.emit({**kind, "snapshot": snapshot, "isSnapshotUpdate": update})

    def edited(self, path: str) -> None:
        """Keep a copy of a file that a call changed, and write it down."""
        backup = self._backup(path)
        if not self.newer:
            self.snapshot(self.prompt_uuid, update=True)
            return
        delta = {
            "type": "file-history-delta",
            "messageId": self.prompt_uuid,
            "snapshotMessageId": self.prompt_uuid,
            "trackingPath": path,
            "backup": backup,
            "timestamp": iso(self.milliseconds),
        }
        self.emit(delta)

    def _backup(self, path: str) -> Json:
        digest = hashlib.sha256(f"{self.cwd}/{path}".encode()).hexdigest()[:16]
        version = self.tracked.get(path, {}).get("version", 0) + 1
        name = f"{digest}@v{version}"
        backup: Json = {"backupFileName": name, "version": version}
        backup["backupTime"] = iso(self.milliseconds)
        if self.newer:
            backup["realParentDir"] = f"{self.cwd}/{path}".rpartition("/")[0]
        self.tracked[path] = backup
        self.backups.append(name)
        return backup


def _file_name(rng: Random, number: int) -> str:
    folder, name = rng.choice(WORDS), rng.choice(WORDS)
    return f"src/{folder}/{name}_{number}.{rng.choice(['py', 'ts', 'md', 'rs'])}"
