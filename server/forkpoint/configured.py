"""What do variables and settings ask the client for, and where is it written?

An `env` entry of a settings file replaces the variable of the shell that the client was started
from, and an empty one takes it away (settings-reference, "How env values interact with your
shell"; watched by a maintainer in 2.1.233, claude-code issue 78567).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from forkpoint.layout import below
from forkpoint.settings_files import SettingsFile
from forkpoint.worded import say

VARIABLES = frozenset(
    {
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_BEDROCK_BASE_URL",
        "ANTHROPIC_DEFAULT_MODEL",
        "ANTHROPIC_FOUNDRY_BASE_URL",
        "ANTHROPIC_MODEL",
        "ANTHROPIC_VERTEX_BASE_URL",
        "CLAUDE_CODE_DISABLE_FAST_MODE",
        "CLAUDE_CODE_DISABLE_THINKING",
        "CLAUDE_CODE_EFFORT_LEVEL",
        "CLAUDE_CODE_PROMPT_CACHE_TTL",
        "CLAUDE_CODE_SIMPLE",
        "CLAUDE_CODE_SUBAGENT_PROMPT_CACHE_TTL",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_FOUNDRY",
        "CLAUDE_CODE_USE_VERTEX",
        "DISABLE_PROMPT_CACHING",
        "DISABLE_PROMPT_CACHING_FABLE",
        "DISABLE_PROMPT_CACHING_HAIKU",
        "DISABLE_PROMPT_CACHING_MYTHOS",
        "DISABLE_PROMPT_CACHING_OPUS",
        "DISABLE_PROMPT_CACHING_SONNET",
        "ENABLE_PROMPT_CACHING_1H",
        "ENABLE_PROMPT_CACHING_1H_BEDROCK",
        "ENABLE_TOOL_SEARCH",
        "FORCE_PROMPT_CACHING_5M",
        "MAX_THINKING_TOKENS",
    }
)
"""The only environment variables that are looked at, in files and in this server's environment."""

_ON = ("1", "true", "yes", "on")
_OFF = ("0", "false", "no", "off")


class Fact(msgspec.Struct, frozen=True):
    """Something that was found.

    Attributes:
        source: where, in words for people; paths below the home folder with `~`.
    """

    value: str
    source: str


class Configured(msgspec.Struct, frozen=True):
    """Settings files, the one that wins first, and the environment that a client would inherit."""

    files: tuple[SettingsFile, ...]
    environ: Mapping[str, str]
    home: Path

    def variable(self, name: str) -> Fact | None:
        """Return a variable of `VARIABLES`, trimmed; a blank one is not set."""
        if name not in VARIABLES:
            raise KeyError(name)
        places = [
            (f.env[name], self.place(say("{name} in env", name=name), f, "of"))
            for f in self.files
            if name in f.env
        ]
        places.append(
            (self.environ.get(name, ""), say("{name} in this server's environment", name=name))
        )
        value, source = places[0]
        return Fact(value.strip(), source) if value.strip() else None

    def on(self, name: str) -> Fact | None:
        """Return a variable that switches something on, in any spelling that the client takes."""
        fact = self.variable(name)
        return fact if fact is not None and fact.value.lower() in _ON else None

    def off(self, name: str) -> Fact | None:
        """Return a variable that says no, as `off`; one with another value says something else."""
        fact = self.variable(name)
        is_off = fact is not None and fact.value.lower() in _OFF
        return Fact("off", fact.source) if fact is not None and is_off else None

    def setting(self, key: str) -> Fact | None:
        """Return the value of a key in the first file that has it; a switch is `on` or `off`."""
        for file in self.files:
            value = file.values.get(key)
            if value is not None:
                text = value if isinstance(value, str) else "on" if value else "off"
                return Fact(text, self.place(key, file))
        return None

    def place(self, what: str, file: SettingsFile, word: str = "in") -> str:
        """Say where in which file something stands."""
        return f"{what} {word} {short_path(file.path, self.home)}"


def short_path(path: str, home: Path) -> str:
    """The path with `~` for the home folder, if it lies below it."""
    folder = str(home)
    if folder == home.anchor or not below(path, folder):
        return path
    return "~" + path[len(folder.rstrip("/\\")) :]
