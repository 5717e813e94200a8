"""What the next request would be sent with: each fact by what says so, and who wins."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from forkpoint.configured import VARIABLES, Configured, Fact, short_path
from forkpoint.environment import Environment, environment_of
from forkpoint.settings_files import SettingsFile
from tests.disk.trees import link, needs_posix, plant

TIME = 1_790_000_000
HERE = "this server's environment"
USER, SHARED, UNSHARED = (
    "~/.claude/settings.json",
    "~/shop/.claude/settings.json",
    "~/shop/.claude/settings.local.json",
)
NOTHING = Environment(
    version=None, extension_version=None, provider=None, caching_off=None, ttl=None, model=None,
    forced_model=None,
    effort=None, thinking=None, fast_mode=None, denied_tools=(), tool_search_off=None,
    snapshot_off=None, output_style=None, branch=None, head_moved_at=None,
    project_files_changed_at=None, servers_changed_at=None, settings_changed_at=None,
)  # fmt: skip


class Machine:
    """A user with a project `shop`; settings are given by their short path."""

    def __init__(self, home: Path) -> None:
        self.home = home
        (home / "shop").mkdir(parents=True)

    def write(self, path: str, content: Any, at: int = TIME) -> None:
        file = self.home / path.removeprefix("~/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        os.utime(file, (at, at))

    def found(
        self, model: str | None = None, of_agent: bool = False, cwd: str = "shop", **environ: str
    ) -> Environment:
        return environment_of(
            self.home / ".claude", str(self.home / cwd), model, of_agent, environ, self.home,
            managed=str(self.home / "managed"),
        )  # fmt: skip


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "home")


def fact(found: Environment, name: str) -> tuple[str, str] | None:
    found_fact = getattr(found, name)
    return None if found_fact is None else (found_fact.value, found_fact.source)


def test_a_bare_machine(machine: Machine) -> None:
    assert machine.found() == NOTHING


@pytest.mark.parametrize("cwd", [None, "relative", "/nowhere/at/all", "/a\0b", r"C:\shop", ""])
def test_no_home_and_no_project(cwd: str | None) -> None:
    nowhere = Path("/nowhere")
    found = environment_of(nowhere / ".claude", cwd, None, False, {}, nowhere, managed="/nowhere/m")
    assert found == NOTHING


def test_where_this_process_stands_does_not_matter(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.write(SHARED, {"model": "opus"})
    monkeypatch.chdir(machine.home)
    nowhere = Path("/nowhere")
    found = environment_of(nowhere, "shop", None, False, {}, nowhere, managed="/nowhere/m")
    assert found == NOTHING


# --- variables and settings --------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_each_variable_is_read_in_both_places(name: str) -> None:
    file = SettingsFile(path="/home/dev/.claude/settings.json", changed_at=0, env={name: " b "})
    here = {name: " a "}
    home = Path("/home/dev")
    assert Configured((), here, home).variable(name) == Fact("a", f"{name} in {HERE}")
    assert Configured((file,), here, home).variable(name) == Fact("b", f"{name} in env of {USER}")


def test_other_variables_are_none_of_our_business() -> None:
    with pytest.raises(KeyError):
        Configured((), {"ANTHROPIC_API_KEY": "secret"}, Path("/")).variable("ANTHROPIC_API_KEY")


HOUR = "ENABLE_PROMPT_CACHING_1H"
MANAGED = "~/managed/managed-settings.json"
ENV: dict[str, tuple[dict[str, Any], dict[str, str], str | None]] = {
    "nothing": ({}, {}, None),
    "here": ({}, {HOUR: "1"}, HERE),
    "a file wins over here": ({USER: {HOUR: "true"}}, {HOUR: "1"}, f"env of {USER}"),
    "a file says no": ({USER: {HOUR: "0"}}, {HOUR: "1"}, None),
    "a file takes it away": ({USER: {HOUR: ""}}, {HOUR: "1"}, None),
    "project over user": ({USER: {HOUR: "0"}, SHARED: {HOUR: 1}}, {}, f"env of {SHARED}"),
    "unshared over shared": ({UNSHARED: {HOUR: True}, SHARED: {HOUR: 0}}, {}, f"env of {UNSHARED}"),
    "the organisation over all": (
        {MANAGED: {HOUR: "off"}, UNSHARED: {HOUR: "1"}},
        {HOUR: "1"},
        None,
    ),
}


@pytest.mark.parametrize(("files", "environ", "source"), ENV.values(), ids=ENV)
def test_where_a_variable_counts(
    machine: Machine, files: dict[str, Any], environ: dict[str, str], source: str | None
) -> None:
    for path, env in files.items():
        machine.write(path, {"env": env})
    expected = ("1h", f"{HOUR} in {source}") if source else None
    assert fact(machine.found(**environ), "ttl") == expected


@pytest.mark.parametrize(
    ("value", "is_on"),
    [("1", True), ("true", True), ("YES", True), (" On ", True), ("0", False), ("no", False),
     ("", False), (" ", False), ("2", False), ("enabled", False)],
)  # fmt: skip
def test_what_switches_on(machine: Machine, value: str, is_on: bool) -> None:
    expected = ("off", f"DISABLE_PROMPT_CACHING in {HERE}") if is_on else None
    assert fact(machine.found(DISABLE_PROMPT_CACHING=value), "caching_off") == expected


@pytest.mark.parametrize(
    ("variable", "model", "is_off"),
    [
        ("DISABLE_PROMPT_CACHING", None, True),
        ("DISABLE_PROMPT_CACHING", "claude-opus-5-5", True),
        ("DISABLE_PROMPT_CACHING_OPUS", "claude-opus-5-5", True),
        ("DISABLE_PROMPT_CACHING_OPUS", "us.anthropic.claude-opus-4-8-v1:0", True),
        ("DISABLE_PROMPT_CACHING_OPUS", "claude-sonnet-5-5", False),
        ("DISABLE_PROMPT_CACHING_OPUS", None, False),
        ("DISABLE_PROMPT_CACHING_SONNET", "sonnet", True),
        ("DISABLE_PROMPT_CACHING_HAIKU", "claude-haiku-4-5-20251001", True),
        ("DISABLE_PROMPT_CACHING_FABLE", "claude-fable-5-1", True),
        ("DISABLE_PROMPT_CACHING_MYTHOS", "claude-mythos-1", True),
        ("DISABLE_PROMPT_CACHING_MYTHOS", "claude-fable-5-1", False),
    ],
)
def test_caching_off(machine: Machine, variable: str, model: str | None, is_off: bool) -> None:
    machine.write(USER, {"env": {variable: "1"}})
    expected = ("off", f"{variable} in env of {USER}") if is_off else None
    assert fact(machine.found(model), "caching_off") == expected


MAIN, SUB = "CLAUDE_CODE_PROMPT_CACHE_TTL", "CLAUDE_CODE_SUBAGENT_PROMPT_CACHE_TTL"
BOTH = {"promptCacheTtl": "1h", "subagentPromptCacheTtl": "5m"}
FORCE, OLD_HOUR = "FORCE_PROMPT_CACHING_5M", "ENABLE_PROMPT_CACHING_1H_BEDROCK"
ON_BEDROCK = {OLD_HOUR: "1", "CLAUDE_CODE_USE_BEDROCK": "1"}
ELSEWHERE = {**ON_BEDROCK, "ANTHROPIC_BEDROCK_BASE_URL": "https://proxy.example"}


@pytest.mark.parametrize(
    ("of_agent", "environ", "settings", "ttl", "by"),
    [
        (False, {}, {}, None, None),
        (False, {HOUR: "1"}, {}, "1h", HOUR),
        (True, {HOUR: "1"}, {}, "1h", HOUR),
        (False, {HOUR: "1"}, BOTH, "1h", "promptCacheTtl"),
        (True, {HOUR: "1"}, BOTH, "5m", "subagentPromptCacheTtl"),
        (False, {MAIN: "5m", SUB: "1h", HOUR: "1"}, BOTH, "5m", MAIN),
        (True, {MAIN: "5m", SUB: " 1h ", HOUR: "1"}, BOTH, "1h", SUB),
        (False, {MAIN: "2h"}, BOTH, "1h", "promptCacheTtl"),
        (False, {MAIN: "1H", HOUR: "1"}, {}, "1h", HOUR),
        (True, {MAIN: "5m"}, {}, None, None),
        (False, {FORCE: "1", MAIN: "1h", HOUR: "1"}, BOTH, "5m", FORCE),
        (True, {FORCE: "1", SUB: "1h"}, {"subagentPromptCacheTtl": "1h"}, "5m", FORCE),
        (False, {FORCE: "0"}, BOTH, "1h", "promptCacheTtl"),
        (False, {OLD_HOUR: "1"}, {}, None, None),
        (False, ON_BEDROCK, {}, "1h", OLD_HOUR),
        (False, ELSEWHERE, {}, "1h", OLD_HOUR),
    ],
)
def test_the_lifetime_asked_for(
    machine: Machine,
    of_agent: bool,
    environ: dict[str, str],
    settings: dict[str, str],
    ttl: str | None,
    by: str | None,
) -> None:
    machine.write(USER, settings)
    place = USER if by in settings else HERE
    expected = None if ttl is None else (ttl, f"{by} in {place}")
    assert fact(machine.found(of_agent=of_agent, **environ), "ttl") == expected


BEDROCK, VERTEX, FOUNDRY = (f"CLAUDE_CODE_USE_{name}" for name in ("BEDROCK", "VERTEX", "FOUNDRY"))


@pytest.mark.parametrize(
    ("environ", "provider", "by"),
    [
        ({}, None, None),
        ({BEDROCK: "1"}, "bedrock", BEDROCK),
        ({VERTEX: "true"}, "vertex", VERTEX),
        ({FOUNDRY: "1"}, "foundry", FOUNDRY),
        ({BEDROCK: "1", VERTEX: "1", FOUNDRY: "1"}, "bedrock", BEDROCK),
        ({BEDROCK: "0", FOUNDRY: "1"}, "foundry", FOUNDRY),
        ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com"}, "anthropic", "ANTHROPIC_BASE_URL"),
        (
            {"ANTHROPIC_BASE_URL": "https://API.anthropic.com:443/"},
            "anthropic",
            "ANTHROPIC_BASE_URL",
        ),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:8080"}, "gateway", "ANTHROPIC_BASE_URL"),
        ({"ANTHROPIC_BASE_URL": "http://localhost"}, "gateway", "ANTHROPIC_BASE_URL"),
        ({"ANTHROPIC_BASE_URL": "https://myapi.anthropic.com"}, "gateway", "ANTHROPIC_BASE_URL"),
        (
            {"ANTHROPIC_BASE_URL": "https://api.anthropic.com.example"},
            "gateway",
            "ANTHROPIC_BASE_URL",
        ),
        (
            {"ANTHROPIC_BASE_URL": "https://x@api.anthropic.com@example/"},
            "gateway",
            "ANTHROPIC_BASE_URL",
        ),
        ({"ANTHROPIC_BASE_URL": "http://[::1"}, "gateway", "ANTHROPIC_BASE_URL"),
        ({"ANTHROPIC_BASE_URL": "nonsense"}, "gateway", "ANTHROPIC_BASE_URL"),
        ({"ANTHROPIC_BASE_URL": " "}, None, None),
        ({BEDROCK: "1", "ANTHROPIC_BASE_URL": "http://localhost"}, "bedrock", BEDROCK),
        ({"ANTHROPIC_BEDROCK_BASE_URL": "http://localhost"}, None, None),
        (
            {BEDROCK: "1", "ANTHROPIC_BEDROCK_BASE_URL": "https://x.us-east-1.amazonaws.com"},
            "bedrock",
            BEDROCK,
        ),
        (
            {BEDROCK: "1", "ANTHROPIC_BEDROCK_BASE_URL": "https://proxy.example"},
            "gateway",
            "ANTHROPIC_BEDROCK_BASE_URL",
        ),
        (
            {VERTEX: "1", "ANTHROPIC_VERTEX_BASE_URL": "https://evilgoogleapis.com"},
            "gateway",
            "ANTHROPIC_VERTEX_BASE_URL",
        ),
        (
            {
                FOUNDRY: "1",
                "ANTHROPIC_FOUNDRY_BASE_URL": "https://a.services.ai.azure.com/anthropic",
            },
            "foundry",
            FOUNDRY,
        ),
    ],
)
def test_who_serves(
    machine: Machine, environ: dict[str, str], provider: str | None, by: str | None
) -> None:
    expected = None if provider is None else (provider, f"{by} in {HERE}")
    assert fact(machine.found(**environ), "provider") == expected


def test_a_cloud_that_a_shell_chooses_is_taken_back_by_an_empty_text(machine: Machine) -> None:
    """The documented way (env-vars, "Precedence")."""
    machine.write(USER, {"env": {VERTEX: ""}})
    assert machine.found(CLAUDE_CODE_USE_VERTEX="1").provider is None


EFFORT = "CLAUDE_CODE_EFFORT_LEVEL"
LOW_OPUS = {"modelSettings": {"claude-opus-5-5": {"effortLevel": "low"}}}


@pytest.mark.parametrize(
    ("environ", "files", "expected"),
    [
        ({}, {}, None),
        ({}, {USER: {"effortLevel": "high"}}, None),
        ({}, {USER: {"effortLevel": "high", **LOW_OPUS}}, ("low", f"modelSettings in {USER}")),
        (
            {},
            {USER: LOW_OPUS, SHARED: {"effortLevel": "high"}},
            ("low", f"modelSettings in {USER}"),
        ),
        ({}, {USER: {"modelSettings": {"claude-opus-5": {"effortLevel": "low"}}}}, None),
        ({}, {USER: {"ultracode": True, **LOW_OPUS}}, ("xhigh", f"ultracode in {USER}")),
        ({}, {USER: {"ultracode": False, **LOW_OPUS}}, ("low", f"modelSettings in {USER}")),
        ({EFFORT: "Max"}, {USER: {"ultracode": True}}, ("max", f"{EFFORT} in {HERE}")),
        ({EFFORT: "auto"}, {USER: LOW_OPUS}, None),
        ({EFFORT: "most"}, {USER: LOW_OPUS}, ("low", f"modelSettings in {USER}")),
    ],
)
def test_effort(
    machine: Machine,
    environ: dict[str, str],
    files: dict[str, Any],
    expected: tuple[str, str] | None,
) -> None:
    for path, content in files.items():
        machine.write(path, content)
    assert fact(machine.found("claude-opus-5-5-20260901", **environ), "effort") == expected


@pytest.mark.parametrize(
    ("name", "environ", "settings", "value", "by"),
    [
        ("model", {}, {"model": "opus"}, "opus", "model"),
        ("model", {"ANTHROPIC_MODEL": "sonnet"}, {"model": "opus"}, "sonnet", "ANTHROPIC_MODEL"),
        ("forced_model", {"ANTHROPIC_MODEL": "sonnet"}, {}, "sonnet", "ANTHROPIC_MODEL"),
        ("model", {"ANTHROPIC_DEFAULT_MODEL": "haiku"}, {"model": "opus"}, "opus", "model"),
        ("model", {"ANTHROPIC_DEFAULT_MODEL": "haiku"}, {}, "haiku", "ANTHROPIC_DEFAULT_MODEL"),
        ("thinking", {}, {"alwaysThinkingEnabled": False}, "off", "alwaysThinkingEnabled"),
        ("thinking", {}, {"alwaysThinkingEnabled": True}, "on", "alwaysThinkingEnabled"),
        ("thinking", {"MAX_THINKING_TOKENS": "0"}, {}, "off", "MAX_THINKING_TOKENS"),
        ("thinking", {"MAX_THINKING_TOKENS": "8000"}, {}, None, None),
        (
            "thinking",
            {"CLAUDE_CODE_DISABLE_THINKING": "1"},
            {"alwaysThinkingEnabled": True},
            "off",
            "CLAUDE_CODE_DISABLE_THINKING",
        ),
        ("fast_mode", {}, {"fastMode": True}, "on", "fastMode"),
        ("fast_mode", {}, {"fastMode": False}, "off", "fastMode"),
        ("fast_mode", {}, {"fastMode": True, "fastModePerSessionOptIn": False}, "on", "fastMode"),
        (
            "fast_mode",
            {},
            {"fastMode": True, "fastModePerSessionOptIn": True},
            "off",
            "fastModePerSessionOptIn",
        ),
        (
            "fast_mode",
            {"CLAUDE_CODE_DISABLE_FAST_MODE": "1"},
            {"fastMode": True},
            "off",
            "CLAUDE_CODE_DISABLE_FAST_MODE",
        ),
        ("tool_search_off", {"ENABLE_TOOL_SEARCH": "false"}, {}, "off", "ENABLE_TOOL_SEARCH"),
        ("tool_search_off", {"ENABLE_TOOL_SEARCH": "auto:5"}, {}, None, None),
        ("tool_search_off", {"ENABLE_TOOL_SEARCH": "true"}, {}, None, None),
        ("snapshot_off", {"CLAUDE_CODE_SIMPLE": "1"}, {}, "off", "CLAUDE_CODE_SIMPLE"),
        ("snapshot_off", {"CLAUDE_CODE_SIMPLE": "0"}, {}, None, None),
        ("output_style", {}, {"outputStyle": "Explanatory"}, "Explanatory", "outputStyle"),
    ],
)
def test_what_else_is_asked_for(
    machine: Machine,
    name: str,
    environ: dict[str, str],
    settings: dict[str, Any],
    value: str | None,
    by: str | None,
) -> None:
    machine.write(USER, settings)
    place = USER if by in settings else HERE
    expected = None if value is None else (value, f"{by} in {place}")
    assert fact(machine.found(**environ), name) == expected


def test_denied_tools_add_up(machine: Machine) -> None:
    machine.write(USER, {"permissions": {"deny": ["WebFetch", "Bash(rm *)", "Edit"]}})
    machine.write(SHARED, {"permissions": {"deny": ["Edit", "mcp__stock", "Read(./.env)"]}})
    assert machine.found().denied_tools == (
        Fact("Edit", f"permissions.deny in {SHARED}"),
        Fact("mcp__stock", f"permissions.deny in {SHARED}"),
        Fact("WebFetch", f"permissions.deny in {USER}"),
    )
    machine.write(USER, {"permissions": {"deny": [f"Tool{n}" for n in range(5000)]}})
    assert len(machine.found().denied_tools) == 100


# --- the disk ----------------------------------------------------------------------------------


@needs_posix
def test_versions(machine: Machine) -> None:
    versions = machine.home / ".local/share/claude/versions"
    plant(versions, "2.1.332")
    (versions / "2.1.332").chmod(0o755)
    link(machine.home, ".local/bin/claude", versions / "2.1.332")
    (machine.home / ".vscode/extensions/anthropic.claude-code-2.1.331-linux-x64").mkdir(
        parents=True
    )
    found = machine.found(PATH=str(machine.home / ".local/bin"))
    extension = "~/.vscode/extensions/anthropic.claude-code-2.1.331-linux-x64"
    assert fact(found, "version") == ("2.1.332", "~/.local/bin/claude on PATH")
    assert fact(found, "extension_version") == ("2.1.331", extension)
    assert fact(machine.found(), "version") == ("2.1.332", "~/.local/bin/claude, not on PATH")


def test_git(machine: Machine) -> None:
    machine.write("shop/.git/HEAD", "ref: refs/heads/main\n")
    line = f"{'0' * 40} {'a' * 40} dev <dev@example> {TIME} +0100\tcommit: x\n"
    machine.write("shop/.git/logs/HEAD", line)
    found = machine.found()
    assert fact(found, "branch") == ("main", "git's HEAD in ~/shop")
    assert found.head_moved_at == TIME * 1000


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("shop/src/CLAUDE.md", True),
        ("shop/src/CLAUDE.local.md", True),
        ("shop/src/.claude/CLAUDE.md", True),
        ("shop/CLAUDE.md", True),
        ("CLAUDE.local.md", True),
        (".claude/CLAUDE.md", True),
        ("shop/src/deep/CLAUDE.md", False),
        ("shop/README.md", False),
        ("other/CLAUDE.md", False),
    ],
)
def test_files_with_instructions(machine: Machine, path: str, counts: bool) -> None:
    """Those above the repository count too: the client walks all the way up (memory)."""
    (machine.home / "shop" / ".git").mkdir()
    machine.write("shop/CLAUDE.md", "old", at=TIME - 10)
    machine.write(path, "new", at=TIME)
    expected = TIME if counts else TIME - 10
    assert machine.found(cwd="shop/src").project_files_changed_at == expected * 1000


def test_when_files_changed(machine: Machine) -> None:
    machine.write("shop/.mcp.json", {}, at=TIME + 1)
    machine.write(USER, {}, at=TIME + 2)
    machine.write(SHARED, "{", at=TIME + 3)
    found = machine.found()
    assert (found.servers_changed_at, found.settings_changed_at) == (
        (TIME + 1) * 1000,
        (TIME + 3) * 1000,
    )


@needs_posix
def test_files_that_would_make_us_wait_or_stray(machine: Machine) -> None:
    shop = machine.home / "shop"
    link(shop, "CLAUDE.md", "CLAUDE.md")
    link(shop, "CLAUDE.local.md", "/dev/zero")
    link(shop, ".mcp.json", "nowhere")
    os.mkfifo(shop / ".git")
    link(shop, ".claude", ".claude")
    link(machine.home, ".claude", machine.home / ".claude")
    link(machine.home, ".vscode/extensions", ".")
    link(machine.home, ".local/bin/claude", "claude")
    assert machine.found(PATH=str(machine.home / ".local/bin")) == NOTHING


def test_nothing_is_written_and_the_answer_stays(machine: Machine) -> None:
    machine.write(USER, {"model": "opus"})
    before = sorted((path, path.lstat().st_mtime_ns) for path in machine.home.rglob("*"))
    first = machine.found()
    assert msgspec.json.encode(first) == msgspec.json.encode(machine.found())
    assert before == sorted((path, path.lstat().st_mtime_ns) for path in machine.home.rglob("*"))


@pytest.mark.parametrize(
    ("path", "home", "expected"),
    [
        ("/home/dev/.claude/settings.json", "/home/dev", USER),
        ("/home/dev", "/home/dev", "/home/dev"),
        ("/home/developer/x", "/home/dev", "/home/developer/x"),
        ("/etc/claude-code/managed-settings.json", "/", "/etc/claude-code/managed-settings.json"),
    ],
)
def test_short_paths(path: str, home: str, expected: str) -> None:
    assert short_path(path, Path(home)) == expected
