"""`forkpoint/cacheImpact`: would the next request find its prefix in the prompt cache?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import field, frozen

from forkpoint.protocol.types.common import SessionReference

CacheAction = Literal["resume", "rewind", "compact", "clear", "fork", "model"]
"""What is done next: resume = the session goes on where it stands, in a new process or an open one;
model = it goes on with the model that `environment` names."""

Provider = Literal["anthropic", "bedrock", "vertex", "foundry", "gateway", "unknown"]
"""Who serves the requests; gateway = an address of one's own."""

Account = Literal["subscription", "apiKey", "unknown"]
"""How the requests are paid."""

Switch = Literal["on", "off"]
"""on or off."""

Sameness = Literal["same", "changed", "unknown"]
"""Whether something is as it was at the last request."""

CacheVerdict = Literal["warm", "partial", "cold", "unknown"]
"""warm = the prefix is read from the cache; partial = only its beginning is; cold = it is written
again; unknown = it may be either, and nothing on disk tells which."""

Confidence = Literal["high", "medium", "low"]
"""How sure a verdict is; of unknown, how sure it is that nothing tells."""

CacheLayerName = Literal["tools", "system", "project", "conversation"]
"""Parts of a prompt in the order in which they are sent: a change loses its own part and all that
follow. project = project files, git state and surroundings."""

Survival = Literal["yes", "no", "unknown"]
"""Whether a layer is still what was sent, and in the cache."""

ImpactCode = Literal[
    "cachingOff",
    "noCacheUse",
    "expired",
    "expiresNow",
    "warm",
    "versionNoSnapshot",
    "toolSetSame",
    "toolSetDiffers",
    "toolSetUnknown",
    "promptInputsChanged",
    "snapshotReplayed",
    "snapshotOff",
    "modelChanged",
    "effortChanged",
    "effortKept",
    "thinkingChanged",
    "fastMode",
    "mcpDeferred",
    "mcpUpFront",
    "toolDenied",
    "permissionOnly",
    "rewindKept",
    "rewindBehindBoundary",
    "rewindAcrossModel",
    "restoreOnly",
    "compactWarm",
    "compactCold",
    "boundaryNewest",
    "cleared",
    "forkShares",
    "agentChanged",
    "imagesDropped",
    "gateway",
    "accountUnknown",
    "overage",
    "liveProcess",
    "outputStyle",
    "plugins",
    "moved",
    "resumeDefect",
]
"""Which rule speaks. Its sentence says what it means here."""

ImpactCertainty = Literal["certain", "likely", "unknowable"]
"""certain = recorded or measured; likely = by rules that mostly hold; unknowable = nothing on disk
settles it."""


@frozen(kw_only=True)
class CacheEnvironment:
    """What the next request will be sent with. What is left out, the server looks for."""

    now: str | None = None
    """The time to judge at, ISO 8601; null = the server's clock."""
    provider: Provider | None = None
    """Who serves the requests."""
    account: Account | None = None
    """How they are paid."""
    version: str | None = None
    """The client that will send them."""
    entrypoint: str | None = None
    """What that client runs in (cli, sdk-cli …); null = what the session ran in."""
    cwd: str | None = None
    """The directory that it is started in; null = the session's."""
    model: str | None = None
    """The model asked for; null = the session's."""
    effort: str | None = None
    """The effort level asked for."""
    caching: Switch | None = None
    """Whether the prompt cache is used at all."""
    snapshot: Switch | None = None
    """Whether recorded prompts are sent again; off = they are built anew."""
    append_system_prompt: Sameness | None = None
    """Text appended to the system prompt by a flag."""
    tools: Sameness | None = None
    """Tools taken away or given by flags and rules."""
    mcp: Sameness | None = None
    """MCP servers."""
    git: Sameness | None = None
    """Branch, commit or status of the repository."""
    project_files: Sameness | None = None
    """CLAUDE.md and what it includes."""
    added_directories: Sameness | None = None
    """Directories added by a flag."""
    permission_mode: Sameness | None = None
    """The permission mode."""
    thinking: Sameness | None = None
    """Thinking settings."""
    fast_mode: Sameness | None = None
    """Fast mode; changed = it is turned on."""


@frozen(kw_only=True)
class CacheImpactParams(SessionReference):
    """What is to be foretold."""

    action: CacheAction = "resume"
    """What is done next."""
    prompt: str | None = None
    """uuid of the prompt that a rewind goes back to; needed for `rewind` only."""
    environment: CacheEnvironment = field(factory=CacheEnvironment)
    """What is known of the next request."""


@frozen(kw_only=True)
class CacheLayer:
    """A part of the prompt."""

    layer: CacheLayerName
    """Which."""
    survives: Survival
    """Whether it is read from the cache."""


@frozen(kw_only=True)
class CacheCause:
    """A rule that speaks about the next request."""

    code: ImpactCode
    """Which."""
    certainty: ImpactCertainty
    """How sure it is."""
    sentence: str
    """The rule in a sentence."""
    evidence: str
    """What was seen, in a few words."""


@frozen(kw_only=True)
class ImpactCosts:
    """US dollars at list prices, of the next request without its new prompt; null = not known."""

    warm: float | None
    """If the prefix is read from the cache."""
    cold_low: float | None
    """If it is not, at best: what other sessions share may be there still."""
    cold_high: float | None
    """If it is not, at worst."""
    expected: float | None
    """What the verdict says; of cold the worst; null also of unknown."""


@frozen(kw_only=True)
class CacheFact:
    """Something that the note rests on."""

    what: str
    """What was looked for: `version`, `ttl`, `git` and so on."""
    value: str
    """What was found."""
    from_: str
    """Where: a kind of record, a settings file, an environment variable, or a parameter."""


@frozen(kw_only=True)
class CacheNote:
    """A forecast of what the prompt cache does for the next request."""

    verdict: CacheVerdict
    """What becomes of the prefix."""
    confidence: Confidence
    """How sure that is."""
    sentence: str
    """One reason, one number and one doubt, for people."""
    layers: Sequence[CacheLayer]
    """The four parts of the prompt, in order."""
    causes: Sequence[CacheCause]
    """The rules that speak, the deciding one first."""
    ttl_seconds: int | None
    """Lifetime of the entries in force; null = not known, or no cache is used."""
    last_request_at: str | None
    """When the last request was sent, at the earliest; null = not known."""
    last_request_by: str | None
    """When it was sent, at the latest."""
    expires_at: str | None
    """When the entries expire, at the earliest; null = not known, as where the last request lies in
    the future of this machine's clock."""
    expires_by: str | None
    """When they expire, at the latest, if no request uses them before."""
    context_tokens: int | None
    """Size of what would be sent again, with the last answer; null = no request was answered."""
    read_tokens: int | None
    """Tokens read from the cache by the verdict; null = it may be either way."""
    write_tokens: int | None
    """Tokens written or sent anew by the verdict, without the new prompt; null likewise."""
    dropped_tokens: int | None
    """Of a rewind: tokens of the context that are no longer sent; null of other actions."""
    cost_usd: ImpactCosts
    """What the request costs."""
    price_model: str | None
    """The model whose list prices were taken; null = no price is known."""
    basis: Sequence[CacheFact]
    """What the note rests on."""
