"""Rollouts of Codex, which lie beside: they are found and not read."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import IO

import orjson

from tests.bench.corpus.text import Texts, iso, skewed, uid
from tests.bench.corpus.transcript import Json

_COUNTED = (
    "input_tokens",
    "cached_input_tokens",
    "output_tokens",
    "reasoning_output_tokens",
    "total_tokens",
)
_CWD = "/home/dev/app"


class Rollout:
    """Writes one rollout below `home`."""

    file: IO[bytes]

    def __init__(self, texts: Texts, seed: int, number: int, milliseconds: int) -> None:
        self.texts, self.milliseconds = texts, milliseconds
        self.rng = Random(f"{seed}-codex-{number}")
        self.ident = uid(self.rng)
        self.began = iso(milliseconds)
        self.bytes = self.lines = 0
        self.total = dict.fromkeys(_COUNTED, 0)

    def run(self, home: Path, target: int) -> Json:
        """Write about so many bytes; returns what is true of the rollout."""
        day = self.began
        folder = home / "sessions" / day[:4] / day[5:7] / day[8:10]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"rollout-{day[:19].replace(':', '-')}-{self.ident}.jsonl"
        with path.open("wb", 1 << 20) as self.file:
            self._meta()
            while self.bytes < target:
                self._turn()
        os.utime(path, (self.milliseconds / 1000, self.milliseconds / 1000))
        return {"id": self.ident, "lines": self.lines, "bytes": self.bytes, "tokens": self.total}

    def _emit(self, kind: str, payload: Json) -> None:
        self.milliseconds += self.rng.randrange(5, 3000)
        record = {"timestamp": iso(self.milliseconds), "type": kind, "payload": payload}
        data = orjson.dumps(record) + b"\n"
        self.file.write(data)
        self.bytes += len(data)
        self.lines += 1

    def _item(self, **payload: object) -> None:
        self._emit("response_item", payload)

    def _event(self, **payload: object) -> None:
        self._emit("event_msg", payload)

    def _text(self, length: int) -> str:
        return self.texts.text(self.rng, length)

    def _meta(self) -> None:
        meta: Json = {
            "id": self.ident,
            "timestamp": self.began,
            "cwd": _CWD,
            "originator": "codex_cli_rs",
            "cli_version": "0.99.0",
            "instructions": self._text(12_000),
            "git": {"branch": "main", "commit_hash": f"{self.rng.getrandbits(160):040x}"},
        }
        self._emit("session_meta", meta)

    def _turn(self) -> None:
        asked = self._text(self.rng.randrange(20, 900))
        settings: Json = {"cwd": _CWD, "approval_policy": "on-request"}
        self._emit("turn_context", {**settings, "model": "gpt-5.4-codex", "effort": "high"})
        question = {"type": "input_text", "text": asked}
        self._item(type="message", role="user", content=[question])
        self._event(type="user_message", message=asked)
        for _ in range(1 + int(self.rng.expovariate(1 / 5))):
            self._call()
        answer = self._text(self.rng.randrange(60, 2500))
        self._event(type="agent_message", message=answer)
        said = {"type": "output_text", "text": answer}
        self._item(type="message", role="assistant", content=[said])

    def _call(self) -> None:
        rng = self.rng
        call_id = f"call_{rng.getrandbits(96):024x}"
        secret = self.texts.base64[: rng.randrange(400, 3000)]
        self._item(type="reasoning", summary=[], content=None, encrypted_content=secret)
        command = orjson.dumps({"command": ["bash", "-lc", self._text(120)]}).decode()
        self._item(type="function_call", name="shell", arguments=command, call_id=call_id)
        output = self._text(skewed(rng, 1200, 1.2, 40, 60_000))
        self._item(type="function_call_output", call_id=call_id, output=output)
        info = {"last_token_usage": self._usage(), "model_context_window": 272000}
        info = {"total_token_usage": dict(self.total), **info}
        self._event(type="token_count", info=info)

    def _usage(self) -> dict[str, int]:
        rng = self.rng
        spent = {"input_tokens": rng.randrange(5000, 90_000), "cached_input_tokens": 4000}
        spent |= {"output_tokens": rng.randrange(10, 900), "reasoning_output_tokens": 0}
        spent["total_tokens"] = spent["input_tokens"] + spent["output_tokens"]
        for name in _COUNTED:
            self.total[name] += spent[name]
        return spent
